package org.example.cache;

import java.util.HashMap;
import java.util.Map;

/** Keeps what was read. */
@SuppressWarnings("unchecked")
public final class Cache<T extends Entry> implements Source<T> {
    private static final int MOST = 64;
    private final Map<String, T> entries = new HashMap<>();

    /** An empty one. */
    public Cache(Source<T> source) {
        this.source = source;
    }

    @Override
    public T load(String name) {
        T entry = entries.get(name);
        if (entry == null) {
            entry = source.load(name);
            entries.put(name, entry);
        }
        return entry;
    }

    public int size() {
        return entries.size();
    }

    // Those that are too old.
    void forget(long before) {
        entries.values().removeIf(entry -> {
            long age = entry.age();
            return age < before;
        });
        if (entries.size() > MOST) {
            entries.clear();
        }
    }

    enum State {
        OPEN, CLOSED;

        boolean isOpen() {
            return this == OPEN;
        }
    }

    static class Builder<T extends Entry> {
        private Source<T> source;

        Builder<T> from(Source<T> source) {
            this.source = source;
            return this;
        }

        Cache<T> build() {
            return new Cache<>(source);
        }
    }

    record Pair(String name, long age) {
        Pair {
            if (age < 0) throw new IllegalArgumentException();
        }
    }
}

interface Source<T> {
    T load(String name);
}
