package linemerge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// textInput is an input of lines.
func textInput(name, text string) Input {
	return Input{name, func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
}

// merged merges texts and returns the lines.
func merged(t testing.TB, options Options, texts ...string) (string, Sums, error) {
	t.Helper()
	var inputs []Input
	for i, text := range texts {
		inputs = append(inputs, textInput(fmt.Sprint("input", i), text))
	}
	var out bytes.Buffer
	sums, err := Merge(t.Context(), inputs, options, func(line []byte) error {
		out.Write(line)
		return out.WriteByte('\n')
	})
	return out.String(), sums, err
}

func TestLinesOfAllInputsAreThereOnce(t *testing.T) {
	for _, row := range []struct {
		inputs                string
		want                  string
		lines, shared, writes int64
		alone                 []int64
	}{
		{"", "", 0, 0, 0, []int64{0}},
		{"a\nb\n", "a\nb\n", 2, 0, 2, []int64{2}},
		{"a\nb|b\nc", "a\nb\nc\n", 4, 1, 3, []int64{1, 1}},
		{"b\n|a\n|", "a\nb\n", 2, 0, 2, []int64{1, 1, 0}},
		{"a\n|a\n|a\nb\n|b\nc\n", "a\nb\nc\n", 6, 2, 3, []int64{0, 0, 0, 1}},
		{"a\naa\nab\n|a\naaa\n|aa", "a\naa\naaa\nab\n", 6, 2, 4, []int64{1, 1, 0}},
		{"\na\n|\n", "\na\n", 3, 1, 2, []int64{1, 0}},
	} {
		for _, most := range []int{0, 2, 3} {
			texts := strings.Split(row.inputs, "|")
			got, sums, err := merged(t, Options{MostOpen: most, Temp: t.TempDir()}, texts...)
			if err != nil || got != row.want || sums.Lines != row.lines || sums.Shared != row.shared || sums.Written != row.writes {
				t.Errorf("%q, %d open: %q, %+v, %v", row.inputs, most, got, sums, err)
			}
			for i, counts := range sums.Inputs {
				if counts.Alone != row.alone[i] {
					t.Errorf("%q, %d open: input %d has %d lines alone, want %d", row.inputs, most, i, counts.Alone, row.alone[i])
				}
			}
		}
	}
}

// TestAMergeIsTheSortedUnion compares with a sort of all lines, for inputs at random.
func TestAMergeIsTheSortedUnion(t *testing.T) {
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 1))
		in, texts := map[string][]int{}, make([]string, random.IntN(30))
		for i := range texts {
			lines := map[string]bool{}
			for range random.IntN(400) {
				lines[strings.Repeat("x", random.IntN(100))+fmt.Sprint(random.IntN(300))] = true
			}
			sorted := make([]string, 0, len(lines))
			for line := range lines {
				sorted, in[line] = append(sorted, line), append(in[line], i)
			}
			slices.Sort(sorted)
			texts[i] = strings.Join(sorted, "\n")
		}
		var all []string
		want := Sums{Inputs: make([]Counts, len(texts))}
		for line, of := range in {
			all = append(all, line+"\n")
			want.Written++
			want.Lines += int64(len(of))
			for _, i := range of {
				want.Inputs[i].Lines++
			}
			if len(of) > 1 {
				want.Shared++
			} else {
				want.Inputs[of[0]].Alone++
			}
		}
		slices.Sort(all)
		for _, most := range []int{2, 5, 100} {
			folder := t.TempDir()
			got, sums, err := merged(t, Options{MostOpen: most, Temp: folder}, texts...)
			if err != nil || got != strings.Join(all, "") {
				t.Errorf("seed %d, %d open: other lines: %v", seed, most, err)
			}
			if sums.Lines != want.Lines || sums.Written != want.Written || sums.Shared != want.Shared ||
				!slices.Equal(sums.Inputs, want.Inputs) {
				t.Errorf("seed %d, %d open: %+v, want %+v", seed, most, sums, want)
			}
			if left, _ := os.ReadDir(folder); len(left) > 0 {
				t.Errorf("seed %d: %d temporary files stay", seed, len(left))
			}
		}
	}
}

func TestWhatDoesNotRiseIsRefusedWithItsPlace(t *testing.T) {
	for _, row := range []struct {
		text string
		line int64
	}{{"b\na\n", 2}, {"a\na\n", 2}, {"a\nb\nb", 3}, {strings.Repeat("y", 40<<10) + "\nz\n" + strings.Repeat("x", 40<<10), 3}} {
		_, _, err := merged(t, Options{}, "a\n", row.text)
		var unsorted *UnsortedError
		if !errors.As(err, &unsorted) || unsorted.Line != row.line || unsorted.Name != "input1" {
			t.Errorf("%.20q: %v", row.text, err)
		}
	}
}

// TestTroubleEndsTheMerge: of an input that can't be opened or read, of the check, of who takes the lines, and of
// a context that ends. Every input that was opened is closed.
func TestTroubleEndsTheMerge(t *testing.T) {
	trouble := errors.New("trouble")
	long := strings.Repeat("a", 100_000) + "\n"
	opened := 0
	for name, row := range map[string]struct {
		input func() (io.ReadCloser, error)
		check func([]byte) error
		take  func([]byte) error
	}{
		"open":  {input: func() (io.ReadCloser, error) { return nil, trouble }},
		"read":  {input: func() (io.ReadCloser, error) { return io.NopCloser(iotest.ErrReader(trouble)), nil }},
		"check": {check: func(line []byte) error { return trouble }},
		"take":  {take: func([]byte) error { return trouble }},
	} {
		if row.input == nil {
			row.input = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(long)), nil }
		}
		if row.take == nil {
			row.take = func([]byte) error { return nil }
		}
		whole := func() (io.ReadCloser, error) {
			opened++
			return &counted{strings.NewReader(long), &opened}, nil
		}
		_, err := Merge(t.Context(), []Input{{"whole", whole}, {"other", row.input}}, Options{Check: row.check}, row.take)
		if !errors.Is(err, trouble) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if opened != 0 {
		t.Errorf("%d inputs stay open", opened)
	}
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	_, err := Merge(ctx, []Input{textInput("a", "a\nb\nc\n"), textInput("b", "a\nc\n")}, Options{}, func([]byte) error {
		if n++; n == 2 {
			cancel()
		}
		return ctx.Err()
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of its context: %v", err)
	}
}

// counted counts how many are open.
type counted struct {
	io.Reader
	open *int
}

func (c *counted) Close() error { *c.open--; return nil }

// A body that breaks off ends the merge, and the line that it breaks in is not given.
func TestNoHalfLineIsGiven(t *testing.T) {
	broken := func() (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(strings.NewReader("a\nhalf of a l"), iotest.ErrReader(io.ErrUnexpectedEOF))), nil
	}
	var got []string
	_, err := Merge(t.Context(), []Input{{"broken", broken}}, Options{}, func(line []byte) error {
		got = append(got, string(line))
		return nil
	})
	if !errors.Is(err, io.ErrUnexpectedEOF) || slices.Contains(got, "half of a l") {
		t.Errorf("%q, %v", got, err)
	}
}

func FuzzAMergeIsTheSortedUnion(f *testing.F) {
	f.Add("a\nb", "b\nc", "")
	f.Add("\x00\n", "\x00\n", "\x001\n")
	f.Add("a\nb", "b\x00c", "")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		all, texts := map[string]bool{}, []string{}
		for _, text := range []string{a, b, c} {
			lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			slices.Sort(lines)
			lines = slices.Compact(lines)
			if text == "" {
				lines = nil
			}
			for _, line := range lines {
				all[line] = true
			}
			texts = append(texts, strings.Join(append(lines, ""), "\n"))
		}
		want := []string{}
		for line := range all {
			want = append(want, line)
		}
		slices.Sort(want) // without the line ends: before one may come less than it
		got, _, err := merged(t, Options{MostOpen: 2, Temp: t.TempDir()}, texts...)
		if err != nil || got != strings.Join(append(want, ""), "\n") {
			t.Errorf("%q of %q: %v", got, texts, err)
		}
	})
}

// BenchmarkMerge merges eight inputs of which a third of the lines are shared.
func BenchmarkMerge(b *testing.B) {
	const each = 100_000
	texts, total := make([]string, 8), 0
	for i := range texts {
		var text strings.Builder
		for n := range each {
			fmt.Fprintf(&text, "<http://dbpedia.org/resource/Thing_%08d> <http://dbpedia.org/ontology/property> \"a value of it\" .\n",
				n*3+i%3*(n%2))
		}
		texts[i] = text.String()
		total += len(texts[i])
	}
	b.SetBytes(int64(total))
	lines := 0
	for b.Loop() {
		var inputs []Input
		for i, text := range texts {
			inputs = append(inputs, textInput(fmt.Sprint(i), text))
		}
		sums, err := Merge(context.Background(), inputs, Options{Memory: 64 << 20}, func([]byte) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
		lines += int(sums.Lines)
	}
	b.ReportMetric(float64(lines)/b.Elapsed().Seconds()/1e6, "Mlines/s")
}
