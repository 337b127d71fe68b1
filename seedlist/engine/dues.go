package engine

import (
	"context"
	"time"
)

// Dues are the part of [Moves] that says what is due.
type Dues struct{ list *Moves }

// OldestDue is since when the seed is due that has been due longest; zero: none is.
func (d Dues) OldestDue(ctx context.Context) (due time.Time, err error) {
	err = d.list.read(ctx, func(s *Session) error {
		first, err := s.tx.OldestDue()
		if due = TimeOf(first); due.After(s.now) {
			due = time.Time{}
		}
		return err
	})
	return due, err
}
