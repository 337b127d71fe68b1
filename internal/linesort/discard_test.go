package linesort_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"laundromat/internal/linesort"
)

// TestDiscardedDocumentLeavesNoTrace sorts lines of two documents, one of them
// void, in memory and spilled.
func TestDiscardedDocumentLeavesNoTrace(t *testing.T) {
	for _, n := range []int{10, 300_000} {
		s := linesort.New(linesort.Options{Memory: 8 << 20, Temp: t.TempDir()})
		defer s.Close()
		for i := range n {
			kept, void := fmt.Sprintf("<http://example.org/%d> <p> \"kept\" .", i/2), fmt.Sprintf("<http://example.org/%d> <p> \"void\" .", i)
			if i%10 == 0 {
				void = kept // one line that both documents have
			}
			for document, line := range []string{void, kept} {
				if err := s.Add(document, []byte(line)); err != nil {
					t.Fatal(err)
				}
			}
		}
		s.Discard(0)
		var lines []string
		stats, err := s.Write(context.Background(), func(int) string { return "" }, func(line []byte) error {
			lines = append(lines, string(line))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(lines) != n/2 || !slices.IsSorted(lines) || stats.Lines != int64(n/2) {
			t.Errorf("%d lines of %d, sorted %v, said %d", len(lines), n/2, slices.IsSorted(lines), stats.Lines)
		}
		if stats.Duplicates != int64(n/2) || stats.PerDocument[1] != int64(n/2) || stats.PerDocument[0] != 0 {
			t.Errorf("duplicates: %+v", stats)
		}
		for _, line := range lines {
			if line[len(line)-7:] == "void\" ." {
				t.Fatalf("written: %s", line)
			}
		}
	}
}
