package web

import (
	"sync"
	"time"
)

// memo keeps answers that cost something for as long as nothing has changed. While there are changes, an answer
// is good for a second, as lists are. Who asks for one that is being made waits for it.
type memo[T any] struct {
	mu      sync.Mutex
	entries map[string]*memoEntry[T]
}

type memoEntry[T any] struct {
	mu       sync.Mutex
	value    T
	err      error
	revision uint64
	made     time.Time // zero: not yet
}

const (
	mostMemo   = 200 // answers that are kept
	mostMemoed = time.Second
)

// get is the answer of a name as of a revision, or one that is hardly older.
func (m *memo[T]) get(name string, revision uint64, fresh func() (T, error)) (T, error) {
	m.mu.Lock()
	if m.entries == nil || len(m.entries) >= mostMemo && m.entries[name] == nil {
		m.entries = map[string]*memoEntry[T]{}
	}
	e := m.entries[name]
	if e == nil {
		e = &memoEntry[T]{}
		m.entries[name] = e
	}
	m.mu.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	isGood := !e.made.IsZero() && e.err == nil && (e.revision >= revision || time.Since(e.made) < mostMemoed)
	if !isGood {
		e.value, e.err = fresh()
		e.revision, e.made = revision, time.Now()
	}
	return e.value, e.err
}
