package storage

import (
	"context"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
)

// UntilBroken ends when the list is found so damaged that nothing is written to it any more. The cause
// says how.
func UntilBroken(ctx context.Context, seeds seedlist.List) (running context.Context, stop context.CancelFunc) {
	running, cancel := context.WithCancelCause(ctx)
	list, ok := seeds.(*bolt.Store)
	if !ok {
		return running, func() { cancel(nil) }
	}
	go func() {
		select {
		case <-list.Broken():
			cancel(list.Damage())
		case <-running.Done():
		}
	}()
	return running, func() { cancel(nil) }
}
