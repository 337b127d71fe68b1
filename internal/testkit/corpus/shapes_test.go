package corpus

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// TestShapesAreAlwaysTheSame writes each shape twice, and counts its lines.
func TestShapesAreAlwaysTheSame(t *testing.T) {
	for _, s := range Shapes() {
		t.Run(s.Name, func(t *testing.T) {
			var first, second bytes.Buffer
			if err := s.Write(&first, 1000); err != nil {
				t.Fatal(err)
			}
			if err := s.Write(&second, 1000); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(first.Bytes(), second.Bytes()) {
				t.Error("two writings differ")
			}
			if n := bytes.Count(first.Bytes(), []byte{'\n'}); n != s.Statements(1000) {
				t.Errorf("%d lines, %d statements", n, s.Statements(1000))
			}
		})
	}
}

// TestPermutationHasEachNumberOnce holds it for sizes around powers of two and four.
func TestPermutationHasEachNumberOnce(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 63, 64, 65, 1000} {
		p, seen := newPermutation(n), make([]bool, n)
		for i := range n {
			seen[p.of(i)] = true
		}
		if slices.Contains(seen, false) {
			t.Errorf("%d: a number is missing", n)
		}
	}
}

// TestSortedShapeIsSorted holds that the lines of each property come in order, and copies where they are promised.
func TestSortedShapeIsSorted(t *testing.T) {
	lines := func(name string) []string {
		s, err := ShapeOf(name)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := s.Write(&text, 1000); err != nil {
			t.Fatal(err)
		}
		return strings.SplitAfter(strings.TrimSuffix(text.String(), "\n"), "\n")
	}
	property := lines("properties")
	for p := range 10 {
		if !slices.IsSorted(property[p*100 : p*100+100]) {
			t.Errorf("property %d is not sorted", p)
		}
	}
	for name, want := range map[string]int{"copies-0": 1000, "copies-50": 500} {
		all := lines(name)
		slices.Sort(all)
		if n := len(slices.Compact(all)); n < want-60 || n > want+60 {
			t.Errorf("%s: %d different lines of 1000", name, n)
		}
	}
	if _, err := ShapeOf("none"); err == nil {
		t.Error("a shape that there is not")
	}
}
