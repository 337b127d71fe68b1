package postgres

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// watcher is called for each statement and batch.
type watcher struct {
	each atomic.Pointer[func(what string, took time.Duration, failed bool)]
}

// Watch has each called for each statement and batch, on any goroutine.
func (s *Store) Watch(each func(what string, took time.Duration, failed bool)) {
	s.watcher.each.Store(&each)
}

var (
	_ pgx.QueryTracer = (*watcher)(nil)
	_ pgx.BatchTracer = (*watcher)(nil)
)

// begun is when a statement began, in a context.
type begun struct{}

func (w *watcher) begin(ctx context.Context) context.Context {
	if w.each.Load() == nil {
		return ctx
	}
	return context.WithValue(ctx, begun{}, time.Now())
}

func (w *watcher) end(ctx context.Context, what string, err error) {
	each := w.each.Load()
	begin, ok := ctx.Value(begun{}).(time.Time)
	if each == nil || !ok {
		return
	}
	failed := err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, pgx.ErrNoRows)
	(*each)(what, time.Since(begin), failed)
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
