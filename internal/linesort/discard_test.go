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
			kept, void := fmt.Sprintf("<http://example.org/%d> <p> \"kept\" .", i/2), fmt.Sprintf("<http://example.org/%d> <p> \"void\" .",
				i)
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

func TestDiscardedDocumentNeverWas(t *testing.T) {
	var equal, turns []row
	for i := range 3000 {
		equal = append(equal, row{i / 100 % 4, "the same line as ever ."})
		turns = append(turns, row{i % 4, fmt.Sprint("line ", i/16)})
	}
	for name, rows := range map[string][]row{
		"statements": statements(3000, 4, 20),
		"sorted":     sorted(statements(3000, 4, 21)),
		"all equal":  equal,
		"in turns":   turns,
		"repeated":   slices.Concat(turns, turns, equal, equal),
		"none left":  {{1, "a"}, {1, "a"}, {3, "a"}, {3, "\x01"}},
	} {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s/memory %d", name, size.memory), func(t *testing.T) {
				s := linesort.New(linesort.Options{Temp: t.TempDir(), Workers: 2})
				defer s.Close()
				if size.memory > 0 {
					s.Shrink(size.memory, size.chunk)
				}
				s.Discard(1)
				s.Discard(3)
				s.Discard(99)
				lines, stats := run(t, s, rows)
				kept := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.document == 1 || r.document == 3 })
				for len(stats.PerDocument) > 0 && stats.PerDocument[len(stats.PerDocument)-1] == 0 {
					stats.PerDocument = stats.PerDocument[:len(stats.PerDocument)-1]
				}
				want, wantStats := naive(kept)
				for len(wantStats.PerDocument) > 0 && wantStats.PerDocument[len(wantStats.PerDocument)-1] == 0 {
					wantStats.PerDocument = wantStats.PerDocument[:len(wantStats.PerDocument)-1]
				}
				if !slices.Equal(lines, want) || stats.Lines != wantStats.Lines || stats.Duplicates != wantStats.Duplicates ||
					!slices.Equal(stats.PerDocument, wantStats.PerDocument) {
					t.Errorf("%d lines, %+v; want %d, %+v", len(lines), stats, len(want), wantStats)
				}
			})
		}
	}
}
