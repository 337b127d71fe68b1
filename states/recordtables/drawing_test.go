package recordtables

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"laundromat/internal/fault"
	"laundromat/records/database"
	"laundromat/records/reconcile"
)

// budget is a Budget that says what is drawn from it.
type budget struct {
	drawn, most int64
	end         func() // it is full: the end comes while one waits
}

func (b *budget) Acquire(ctx context.Context, bytes int64) error {
	if b.end != nil {
		b.end()
		<-ctx.Done()
		return ctx.Err()
	}
	b.drawn += bytes
	b.most = max(b.most, b.drawn)
	return nil
}

func (b *budget) Release(bytes int64) { b.drawn -= bytes }

// Records are reconciled within the memory that all work shares: what they need is drawn before they are read, and
// released. Where the whole is too small, nothing is read.
func TestReconcilingDrawsFromTheMemoryOfAllWork(t *testing.T) {
	db, err := database.Open(t.Context(), database.Address{File: filepath.Join(t.TempDir(), "r.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	r := &reconciled{recipe: "people"}
	for _, test := range []struct {
		name string
		most int64
		from *budget
		want int64
		code fault.Code
		err  error
	}{
		{name: "no budget", want: leastMemory},
		{name: "enough", most: 1 << 30, from: &budget{}, want: leastMemory},
		{name: "too small", most: leastMemory, from: &budget{}, code: fault.LimitMemory},
		{name: "others have it until the end", most: 1 << 30, from: &budget{end: func() {}}, err: context.Canceled},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		f := New(Options{Name: "list", Holder: test.name, Most: test.most})
		if test.from != nil {
			f.opt.Budget = test.from
		}
		if test.err != nil {
			test.from.end = cancel
		}
		memory, release, err := f.drawFor(ctx, db, r)
		cancel()
		switch {
		case test.err != nil && !errors.Is(err, test.err), fault.CodeOf(err) != test.code && test.err == nil:
			t.Errorf("%s: %v", test.name, err)
		case test.err == nil && test.code == "" && memory != test.want:
			t.Errorf("%s: %d bytes, want %d", test.name, memory, test.want)
		}
		if release != nil {
			release()
		}
		if test.from == nil {
			continue
		}
		if want := reconcile.MemoryOf(0, leastMemory); release != nil && test.from.most != want {
			t.Errorf("%s: %d bytes are drawn, want %d", test.name, test.from.most, want)
		}
		if test.from.drawn != 0 {
			t.Errorf("%s: %d bytes are not released", test.name, test.from.drawn)
		}
	}
}
