package storage

import (
	"context"
	"time"
)

// Counter counts requests to a store of files or a database.
type Counter interface {
	Asked(of, what string, took time.Duration, failed bool)
}

// watched is a store whose requests can be counted.
type watched interface {
	Watch(each func(what string, took time.Duration, failed bool))
}

// Measure has the requests to an object store and to a database counted. A folder makes none.
func (f *Folder) Measure(counter Counter) {
	for of, store := range map[string]any{"bucket": f.Files, "database": f.Seeds} {
		if w, ok := store.(watched); ok {
			w.Watch(func(what string, took time.Duration, failed bool) { counter.Asked(of, what, took, failed) })
		}
	}
}

// speaker is a list that several processes share, of which one speaks for it.
type speaker interface {
	Speak(ctx context.Context) error
	Speaks(ctx context.Context) (bool, error)
}

// Speak makes this process one of those that may export the counts of a shared list.
func (f *Folder) Speak(ctx context.Context) error {
	if list, ok := f.Seeds.(speaker); ok && f.Role != RoleWorker {
		return list.Speak(ctx)
	}
	return nil
}

// IsToldElsewhere says that another process exports the counts of the list now.
func (f *Folder) IsToldElsewhere(ctx context.Context) (bool, error) {
	if f.Role == RoleWorker {
		return true, nil
	}
	if list, ok := f.Seeds.(speaker); ok {
		speaks, err := list.Speaks(ctx)
		return !speaks, err
	}
	return false, nil
}
