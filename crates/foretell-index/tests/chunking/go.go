// Package cache keeps what was read.
package cache

import (
	"errors"
	"sync"
)

// ErrMissing says that there is none.
var ErrMissing = errors.New("missing")

const (
	Most  = 64
	Least = 1
)

// Cache keeps entries.
type Cache struct {
	mu      sync.Mutex
	entries map[string]Entry
}

type Source interface {
	Load(name string) (Entry, error)
}

type Name = string

// New makes an empty one.
func New() *Cache {
	return &Cache{entries: map[string]Entry{}}
}

// Read reads through it.
func (c *Cache) Read(name string, source Source) (Entry, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if entry, ok := c.entries[name]; ok {
		return entry, nil
	}
	return source.Load(name)
}

func Map[T, U any](items []T, by func(T) U) []U {
	var mapped []U
	for _, item := range items {
		mapped = append(mapped, by(item))
	}
	return mapped
}
