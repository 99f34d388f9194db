/* Keeps what was read. */
#include <stdio.h>
#include <stdlib.h>

#define MOST 64
#define MAX(a, b) ((a) > (b) ? (a) : (b))

struct entry {
    char *text;
    unsigned long age;
};

typedef struct {
    struct entry *entries;
    size_t count;
} cache_t;

static int compare(const void *a, const void *b);

/* Finds one. */
static struct entry *
cache_find(cache_t *cache, const char *text)
{
    for (size_t i = 0; i < cache->count; i++)
        if (!strcmp(cache->entries[i].text, text))
            return &cache->entries[i];
    return NULL;
}

#ifdef DEBUG
void cache_dump(const cache_t *cache)
{
    printf("%zu\n", cache->count);
}
#else
void cache_dump(const cache_t *cache) {
    (void)cache;
}
#endif

int main(int argc, char **argv) {
    cache_t cache = {0};
    return cache_find(&cache, argv[argc - 1]) != NULL;
}
