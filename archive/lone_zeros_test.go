package archive_test

import (
	"slices"
	"strings"
	"testing"

	"laundromat/archive"
)

// TestALoneBlockOfZerosInATarCostsNothing: the end mark has two.
func TestALoneBlockOfZerosInATarCostsNothing(t *testing.T) {
	const none, told = "", "warning archive/bad-field 0"
	zero := strings.Repeat("\x00", 512)
	one, other := member{"a", lines(3000)}, member{"b", lines(700)}
	a, b := tarFile(one, nil), tarFile(other, nil)
	for name, c := range map[string]struct{ data, codes string }{
		"between two entries":        {a + zero + b + zero + zero, told},
		"between, and at the end":    {a + zero + b + zero, told},
		"between two, with the mark": {a + zero + zero + b + zero + zero, none},
		"three between":              {a + zero + zero + zero + b + zero + zero, none},
		"at the end":                 {a + b + zero, none},
		"at the end, cut short":      {a + b + zero[:300], none},
		"the second cut short":       {a + b + zero + zero[:1], none},
		"first":                      {zero + a + b + zero + zero, told},
		"first and between":          {zero + a + zero + b + zero + zero, told + ", " + told},
		"before an extended header":  {a + zero + pax("path=b") + tarFile(member{"x", other.body}, nil) + zero + zero, told},
		"behind an extended header":  {a + pax("path=b") + zero + tarFile(member{"x", other.body}, nil) + zero + zero, told},
		"before a long name": {a + zero + tarHeader('L', "././@LongLink", 2, nil) + padded("b\x00") +
			tarFile(member{"x", other.body}, nil) + zero + zero, told},
		"before an old header":      {a + zero + tarFile(other, field(257, "\x00\x00\x00\x00\x00\x00\x00\x00")) + zero + zero, told},
		"between, then other bytes": {a + zero + b + zero + zero + "<html>", told + ", warning archive/trailing-bytes 0"},
		"in gzip":                   {gz(t, a+zero+b+zero+zero), told},
	} {
		got := readAll(t, c.data, "x.tar", archive.Limits{})
		if !slices.Equal(got.entries, []member{one, other}) || got.codes() != c.codes || got.err != nil {
			t.Errorf("%s: %d entries, notices %v, error %v", name, len(got.entries), got.notices, got.err)
		}
	}
}
