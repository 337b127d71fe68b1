package postgres

import (
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// TestSumsOfTimeAreLockedInOneOrder holds so that two who write what they washed do not wait for each other.
func TestSumsOfTimeAreLockedInOneOrder(t *testing.T) {
	w := &engine.Writes{Now: time.Now(), Washed: map[seedlist.Span][]seedlist.Washed{}}
	var want []string
	for _, span := range seedlist.Spans() {
		w.Washed[span] = []seedlist.Washed{{Begin: w.Now.Truncate(span.Length()), Documents: 1}}
		want = append(want, string(span))
	}
	for range 50 {
		var b pgx.Batch
		writes := &tx{store: &Store{spans: map[seedlist.Span]int64{}}}
		writes.queueWashed(&b, w)
		last := b.QueuedQueries[len(b.QueuedQueries)-1]
		if got, is := last.Arguments[0].([]string); !is || !slices.Equal(got, want) {
			t.Fatalf("the spans are written as %v; want %v", last.Arguments[0], want)
		}
	}
}
