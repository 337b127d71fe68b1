package pages

import (
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
)

// The lines around a place are those of the text, whatever ends them and however they come.
func TestLinesAroundAPlace(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		var text strings.Builder
		for n := 1; n <= 40; n++ {
			fmt.Fprintf(&text, "line %d <é x> \"ü\" .", n)
			if n < 40 {
				text.WriteString(end)
			}
		}
		for _, line := range []int64{1, 5, 20, 40} {
			got, err := linesOf(iotest.HalfReader(strings.NewReader(text.String())), line, 0)
			if err != nil {
				t.Fatal(err)
			}
			first, last := max(1, line-linesAround), min(40, line+linesAround)
			if got[0].Number != first || got[len(got)-1].Number != last || int64(len(got)) != last-first+1 {
				t.Errorf("%q: around %d are %d to %d", end, line, got[0].Number, got[len(got)-1].Number)
			}
			for _, one := range got {
				if want := fmt.Sprintf("line %d <é x> \"ü\" .", one.Number); one.Before != want || one.IsHere != (one.Number == line) {
					t.Errorf("%q: %+v", end, one)
				}
			}
		}
		if _, err := linesOf(strings.NewReader(text.String()), 41, 0); err != errNoLine {
			t.Errorf("%q: the line 41: %v", end, err)
		}
	}
}

// The mark begins at the column, which counts characters, and ends with the term that is there.
func TestTheMarkIsWhatIsAtTheColumn(t *testing.T) {
	for _, c := range []struct {
		text                  string
		column                int64
		before, marked, after string
	}{
		{"é <a b> .", 3, "é ", "<a b>", " ."},
		{"é <a b> .", 5, "é <a", " b", "> ."},
		{"a b\x07c d", 4, "a b", "\x07c", " d"},
		{"ab", 3, "ab", "", ""},
		{"ab", 1, "", "ab", ""},
		{"\xff\xfeab cd", 3, "\xff\xfe", "ab", " cd"},
		{"", 1, "", "", ""},
		{"ab", 9, "ab", "", ""},
	} {
		got, err := linesOf(iotest.OneByteReader(strings.NewReader(c.text+"\nnext")), 1, c.column)
		if err != nil {
			t.Fatal(err)
		}
		if one := got[0]; one.Before != c.before || one.Marked != c.marked || one.After != c.after {
			t.Errorf("%q at %d: %+v", c.text, c.column, one)
		}
	}
}

// Of a line without measure only what is near the column is held, cut between characters.
func TestALongLineIsCutAroundThePlace(t *testing.T) {
	long := strings.Repeat("é", 100_000) + "<here>" + strings.Repeat("ü", 100_000)
	got, err := linesOf(strings.NewReader("first\n"+long+"\n"+long), 2, 100_001)
	if err != nil || len(got) != 3 {
		t.Fatal(len(got), err)
	}
	one := got[1]
	if one.Marked != "<here>" || !one.CutLeft || !one.CutRight {
		t.Errorf("%t %t %q", one.CutLeft, one.CutRight, one.Marked)
	}
	for _, part := range []string{one.Before, one.After, got[2].Before} {
		if n := len(part); n < lineShownElse-4 || n > 2*lineShown+4 || strings.Trim(part, "éü") != "" {
			t.Errorf("%d bytes: %.20q…%q", n, part, part[n-4:])
		}
	}
	if !got[2].CutRight {
		t.Error("a long line beside it is not cut")
	}
}

// Of a document's statements each is in the picture, and what is there at all can be seen.
func TestPiecesOfTheSum(t *testing.T) {
	pieces := piecesOf(1_000_000, counted{"kept", 999_998}, counted{"repaired", 1}, counted{"dropped", 1})
	for i, want := range []struct{ share, width string }{{"> 99.9 %", "1000.0"}, {"< 0.1 %", "4.0"}, {"< 0.1 %", "4.0"}} {
		if p := pieces[i]; p.Share != want.share || p.Width != want.width {
			t.Errorf("%+v, want %+v", p, want)
		}
	}
	for _, p := range piecesOf(0, counted{"kept", 0}) {
		if p.Width != "" || p.Share != "" {
			t.Errorf("of nothing: %+v", p)
		}
	}
}
