package postgres

import (
	"context"

	"laundromat/seedlist"
)

var (
	_ seedlist.RowSource = (*Store)(nil)
	_ seedlist.RowTarget = (*Store)(nil)
)

// OpenCopy is [Open] for a list into which another is copied, or which is empty. Open itself refuses one that was
// not copied to its end.
func OpenCopy(ctx context.Context, address string, options seedlist.Options) (*Store, error) {
	return open(context.WithValue(ctx, isCopied{}, true), address, options, nil)
}

// isCopied is the key of a context in which a list may be opened that is not whole yet.
type isCopied struct{}

// refuseUnfinished refuses a list into which another was not copied to its end.
func refuseUnfinished(ctx context.Context, q querier) error {
	if ctx.Value(isCopied{}) != nil {
		return nil
	}
	var isThere bool
	err := q.QueryRow(ctx, "SELECT EXISTS (SELECT FROM copying)").Scan(&isThere)
	if err == nil && isThere {
		return seedlist.ErrUnfinished
	}
	return err
}

// Settle gives back what processes hold that are gone, and refuses a list on which one works.
func (s *Store) Settle(ctx context.Context) error {
	var others int64
	err := s.read(ctx, func(t *tx) (err error) {
		others, err = t.number("SELECT count(*) FROM holders WHERE holder <> $1 AND holder NOT LIKE 'speaks/%' AND lease >= $2", s.holder, s.now().UnixNano())
		return err
	})
	if err == nil && others > 0 {
		err = seedlist.ErrAtWork
	}
	if err != nil {
		return err
	}
	return s.Moves.Settle(ctx)
}
