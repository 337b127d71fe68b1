package postgres

import (
	"context"
	"time"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// Do runs an operation. Those that are small are written with those of others, each with its own answer. While
// there is trouble, a patient one is tried again for a while.
func (s *Store) Do(ctx context.Context, o *engine.Op) error {
	if s.options.ReadOnly {
		return seedlist.ErrReadOnly
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if o.Claims {
		// Should it not come to know whether it was written, what it has claimed is found later, and given back.
		defer s.begun.begin(o, s.now())()
	}
	for begin := time.Now(); ; {
		if err = s.doOnce(ctx, o); !o.Patient || !isTrouble(err) {
			return err
		}
		if time.Since(begin) > patience {
			if o.GaveUp != nil {
				o.GaveUp()
			}
			return err
		}
		select {
		case <-time.After(pollEvery):
		case <-ctx.Done():
			if !o.Shared {
				return err
			}
			return ctx.Err()
		case <-s.ctx.Done():
			return err
		}
	}
}

func (s *Store) doOnce(ctx context.Context, o *engine.Op) error {
	if !o.Shared {
		if err := s.transact(ctx, o); err != nil {
			return err
		}
		return o.Err
	}
	m := &member{o, make(chan error, 1)}
	select {
	case s.queue <- m:
		return <-m.answer
	case <-s.ctx.Done():
		return seedlist.ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// member is an operation that is written with others.
type member struct {
	*engine.Op
	answer chan error
}

// commit writes operations until the store is closed.
func (s *Store) commit() {
	for {
		var all []*member
		select {
		case m := <-s.queue:
			all = append(all, m)
		case <-s.ctx.Done():
			return
		}
		for more := true; more && len(all) < maxBatch; {
			select {
			case m := <-s.queue:
				all = append(all, m)
			default:
				more = false
			}
		}
		s.commitAll(all)
	}
}

// commitAll writes operations together. If they fail together, each is tried by itself: one may be at
// fault for all.
func (s *Store) commitAll(all []*member) {
	var ops []*engine.Op
	for _, m := range all {
		ops = append(ops, m.Op)
	}
	err := s.transact(context.Background(), ops...)
	if err != nil && len(all) > 1 && !isTrouble(err) {
		for _, m := range all {
			s.commitAll([]*member{m})
		}
		return
	}
	for _, m := range all {
		if err != nil {
			m.Err = err
		}
		m.answer <- m.Err
	}
}

// isTrouble says that an error is trouble of this machine, its network or the database.
func isTrouble(err error) bool { return err != nil && fault.KindOf(err) == fault.Local }
