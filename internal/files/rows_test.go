package files_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/files"
)

// rowsOf are lines from a number on, up to limit.
func rowsOf(t *testing.T, store files.Opener, hash string, from int64, limit, longest int) (rows []string) {
	t.Helper()
	err := files.EachRow(store, hash, from, longest, func(r files.Row) (bool, error) {
		text := string(r.Text)
		if r.Cut {
			text += "…"
		}
		rows = append(rows, text)
		return len(rows) < limit, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestEachRowIsTheLineOfItsNumber(t *testing.T) {
	var lines []string
	for i := range 120_000 {
		lines = append(lines, fmt.Sprintf("<http://example.org/%06d> <http://example.org/p> \"%s\" .", i, strings.Repeat("x", i%90)))
	}
	lines[70_001] = "<http://example.org/070001> <http://example.org/p> \"" + strings.Repeat("long", 50_000) + "\" ."
	for _, indexed := range []bool{true, false} {
		store, hash := stored(t, lines, indexed)
		for _, from := range []int64{1, 2, 3, 7_777, 60_000, 70_000, 70_002, 119_999, 120_000, 120_001, 500_000} {
			want := lines[min(int(from)-1, len(lines)):min(int(from)+4, len(lines))]
			if got := rowsOf(t, store, hash, from, 5, 1<<20); !slices.Equal(got, want) {
				t.Errorf("indexed %v, from %d: %.200q, want %.200q", indexed, from, got, want)
			}
		}
		if got := rowsOf(t, store, hash, 70_002, 2, 100); len(got) != 2 || got[0] != lines[70_001][:100]+"…" || len(got[1]) > 103 {
			t.Errorf("indexed %v, a long line: %q", indexed, got)
		}
	}
}
