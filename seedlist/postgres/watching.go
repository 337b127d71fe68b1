package postgres

import (
	"context"
	"errors"
	"net"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// watcher is called for each statement and batch, and lets none of them wait for ever.
type watcher struct {
	each atomic.Pointer[func(what string, took time.Duration, failed bool)]
}

// mostSilent is how long a server may take to answer: longer than any statement may take. Where a connection was
// forgotten on the way, nothing ever comes, and nobody says so.
var mostSilent = 70 * time.Second

// dialer asks early whether the server's machine is still there.
var dialer = net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 3}}

// Watch has each called for each statement and batch, on any goroutine.
func (s *Store) Watch(each func(what string, took time.Duration, failed bool)) {
	s.watcher.each.Store(&each)
}

var (
	_ pgx.QueryTracer = (*watcher)(nil)
	_ pgx.BatchTracer = (*watcher)(nil)
)

// statement is one that is being done.
type statement struct {
	began time.Time
	done  context.CancelFunc
}

// doing is the key of a statement in its context, and mayTakeLong that of a context whose statements may take any time.
type doing struct{}
type mayTakeLong struct{}

func (w *watcher) begin(ctx context.Context) context.Context {
	is := &statement{began: time.Now(), done: func() {}}
	if ctx.Value(mayTakeLong{}) == nil {
		ctx, is.done = context.WithTimeout(ctx, mostSilent)
	}
	return context.WithValue(ctx, doing{}, is)
}

func (w *watcher) end(ctx context.Context, what string, err error) {
	is := ctx.Value(doing{}).(*statement)
	is.done()
	if each := w.each.Load(); each != nil {
		failed := err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, pgx.ErrNoRows)
		(*each)(what, time.Since(is.began), failed)
	}
}

// TraceQueryStart and the others are called by the driver.
func (w *watcher) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return w.begin(ctx)
}

// TraceQueryEnd ends a statement.
func (w *watcher) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	w.end(ctx, "statement", data.Err)
}

// TraceBatchStart begins a batch.
func (w *watcher) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return w.begin(ctx)
}

// TraceBatchQuery is a statement of a batch, which is not counted by itself.
func (w *watcher) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd ends a batch.
func (w *watcher) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchEndData) {
	w.end(ctx, "batch", data.Err)
}
