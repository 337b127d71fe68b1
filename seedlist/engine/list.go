package engine

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"laundromat/seedlist"
)

// Moves makes the moves of a seed list over a store. A store embeds it, and is a [seedlist.List] by that, but for
// [seedlist.HostLeases].
type Moves struct {
	RecipeMoves
	store   Store
	sharer  Sharer // nil where one process has all hosts
	options seedlist.Options
	poll    time.Duration
	leases  leaseTable
	wakers  wakers

	mu    sync.Mutex
	ended chan struct{} // closed when the list is

	retainer
	holds
}

// New is a list over a store. Who waits looks again every poll, also without news. The options have their defaults.
func New(store Store, options seedlist.Options, poll time.Duration) *Moves {
	l := &Moves{store: store, options: options, poll: poll, leases: newLeaseTable(), ended: make(chan struct{})}
	l.sharer, _ = store.(Sharer)
	l.retainer.list, l.holds.list = l, l
	l.RecipeMoves = RecipeMoves{l}
	return l
}

// End has all who wait return [seedlist.ErrClosed]. A store calls it when it is closed.
func (l *Moves) End() {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.ended:
	default:
		close(l.ended)
	}
}

// Begin begins a session over a transaction of the store.
func (l *Moves) Begin(tx Tx) *Session { return l.session(tx, true) }

// read looks at the list as it is at one moment.
func (l *Moves) read(ctx context.Context, look func(s *Session) error) error {
	return view(ctx, l, true, look)
}

// ask is read for one question.
func (l *Moves) ask(ctx context.Context, look func(s *Session) error) error {
	return view(ctx, l, false, look)
}

func view(ctx context.Context, l *Moves, inOne bool, look func(s *Session) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return l.store.View(ctx, inOne, func(tx Tx) error {
		s := l.session(tx, false)
		answer := look(s)
		return cmp.Or(s.err, answer)
	})
}

// write changes the list in one transaction. The function change may be called again; it refuses before it changes
// anything.
func (l *Moves) write(ctx context.Context, change func(s *Session) error) error {
	return l.do(ctx, &Op{Run: change})
}

func (l *Moves) do(ctx context.Context, o *Op) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if l.options.ReadOnly {
		return seedlist.ErrReadOnly
	}
	return l.store.Do(ctx, o)
}

// found is what is found in a transaction: one of read, ask and write.
func found[T any](ctx context.Context, transaction transaction, look func(s *Session) (T, error)) (T, error) {
	var answer T
	err := transaction(ctx, func(s *Session) (err error) {
		answer, err = look(s)
		return err
	})
	return answer, err
}

// transaction has a function run in a session: [Moves.read] and its like.
type transaction = func(ctx context.Context, run func(s *Session) error) error

// transactionOf is [Moves.read] where nothing is to be written, else [Moves.write].
func transactionOf(l *Moves, isDry bool) transaction {
	if isDry {
		return l.read
	}
	return l.write
}

// inParts makes a move for many, up to a thousand in one transaction, and returns what it answers for all. Where it
// fails, these are the answers of the transactions before.
func inParts[T, A any](
	ctx context.Context, all []T, transaction transaction, move func(s *Session, part []T) ([]A, error),
) (answers []A, err error) {
	for part := range slices.Chunk(all, atOnce) {
		some, err := found(ctx, transaction, func(s *Session) ([]A, error) { return move(s, part) })
		if err != nil {
			return answers, err
		}
		answers = append(answers, some...)
	}
	return answers, nil
}

// atOnce is how many links, and seeds of one call, are worked on together.
const atOnce = 1000

// wait returns when ready says so. It looks again when there is news of a kind, at the time that ready names, and
// every so often.
func (l *Moves) wait(ctx context.Context, of News, ready func(s *Session) (bool, int64)) error {
	for {
		changed := l.wakers.expect(of)
		var is bool
		pause := l.poll
		err := l.ask(ctx, func(s *Session) error {
			var at int64
			if is, at = ready(s); at != 0 {
				pause = max(0, min(pause, TimeOf(at).Sub(s.now)))
			}
			return nil
		})
		if err != nil || is {
			return err
		}
		timer := time.NewTimer(pause)
		select {
		case <-changed:
		case <-timer.C:
		case <-ctx.Done():
			err = ctx.Err()
		case <-l.ended:
			err = seedlist.ErrClosed
		}
		timer.Stop()
		if err != nil {
			return err
		}
	}
}
