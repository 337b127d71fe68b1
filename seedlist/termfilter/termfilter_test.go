package termfilter_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/commonprefix"
	"laundromat/rdf/quadline"
	"laundromat/rdf/quadpattern"
	"laundromat/seedlist"
	"laundromat/seedlist/memory"
	"laundromat/seedlist/termfilter"
)

// hashes of clean files.
const one, two = "00112233445566778899aabbccddeeff", "ffeeddccbbaa99887766554433221100"

// opened is an index at path of a list without seeds, which no clean file is read for.
func opened(t *testing.T, path string, onlyRead bool) *termfilter.Index {
	t.Helper()
	list := memory.New(seedlist.Options{})
	t.Cleanup(func() { list.Close() })
	x, err := termfilter.Open(path, list, nil, termfilter.Options{OnlyRead: onlyRead})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	return x
}

// lines are sorted lines with n subjects.
func lines(n int) (all []string) {
	random := rand.New(rand.NewPCG(59, uint64(n)))
	for i := range n {
		subject := fmt.Sprintf("<http://a.example/%d>", i)
		all = append(all, subject+" <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://c.example/"+fmt.Sprint(i%7)+"> .")
		for range random.IntN(4) {
			p, g := random.IntN(200), random.IntN(100)
			all = append(all,
				fmt.Sprintf(`%s <http://p.example/%d> "a \" <urn:x> %d" <http://g.example/%d> .`, subject, p, i, g),
				fmt.Sprintf(`%s <http://p.example/%d> <<( <urn:s> <urn:p> "x y" )>> _:g%d .`, subject, p, g),
				fmt.Sprintf("%s <http://p.example/%d> <http://o.example/%d> .", subject, p, g))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func built(all []string, inBlocks bool) *termfilter.Builder {
	b := &termfilter.Builder{}
	if !inBlocks {
		for _, line := range all {
			b.Line([]byte(line))
		}
		return b
	}
	before := ""
	for some := range slices.Chunk(all, 97) {
		var text []byte
		var ends, shared []int
		for _, line := range some {
			text = append(append(text, line...), '\n')
			ends = append(ends, len(text))
			shared = append(shared, commonprefix.Common([]byte(before), []byte(line+"\n"), 0))
			before = line + "\n"
		}
		b.Lines(text, ends, shared)
	}
	return b
}

func question(t *testing.T, given quadpattern.Given) termfilter.Question {
	t.Helper()
	p, err := quadpattern.Parse(context.Background(), given)
	if err != nil {
		t.Fatal(err)
	}
	return termfilter.Ask(&p)
}

func TestAFilterNeverSaysNoOfATermThatIsThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "terms")
	all := lines(3000)
	for _, inBlocks := range []bool{false, true} {
		os.Remove(path)
		x := opened(t, path, false)
		x.Add(one, built(all, inBlocks))
		x.Close()
		x = opened(t, path, true)
		f := x.File(1, one)
		if want := int64(len(strings.Join(all, "\n")) + 1); f.Bytes != want {
			t.Errorf("its text has %d bytes, not %d", f.Bytes, want)
		}
		for _, line := range all {
			terms, ok := quadline.Cut([]byte(line))
			if !ok {
				t.Fatal(line)
			}
			p := quadpattern.Pattern{Subject: terms.Subject, Predicate: terms.Predicate, Object: terms.Object, Graph: terms.Graph}
			if may, isKnown := x.May(&f, termfilter.Ask(&p)); !may || !isKnown {
				t.Fatalf("of %s it says %v, %v", line, may, isKnown)
			}
		}
		wrong := 0
		for i := range 10_000 {
			if may, _ := x.May(&f, question(t, quadpattern.Given{Subject: fmt.Sprintf("<http://b.example/%d>", i)})); may {
				wrong++
			}
		}
		if wrong > 100 {
			t.Errorf("of %d in 10,000 terms that are not there it says that they may be", wrong)
		}
		if may, _ := x.May(&f, question(t, quadpattern.Given{Predicate: "a", Object: "http://c.example/77"})); may {
			t.Error("of a class that is not there it says that it may be")
		}
	}
}

func TestADamagedFilterSaysNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "terms")
	x := opened(t, path, false)
	x.Add(one, built(lines(1), false))
	x.Add(two, built(lines(2), false))
	x.Close()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	hidden := question(t, quadpattern.Given{Subject: "urn:hidden"})
	for at := range text {
		spoilt := bytes.Clone(text)
		spoilt[at] ^= 0x10
		if err := os.WriteFile(path, spoilt, 0o600); err != nil {
			t.Fatal(err)
		}
		x := opened(t, path, true)
		for _, hash := range []string{one, two} {
			f := x.File(1, hash)
			for i := range 2 {
				ask := question(t, quadpattern.Given{Subject: fmt.Sprintf("http://a.example/%d", i)})
				if may, isKnown := x.May(&f, ask); isKnown && !may && (hash == two || i == 0) {
					t.Fatalf("byte %d spoilt: it says no of a term that is there", at)
				}
			}
			if may, isKnown := x.May(&f, hidden); may && isKnown {
				t.Fatalf("byte %d spoilt: it says yes for sure", at)
			}
		}
		x.Close()
	}
	// What a crash cut short is not taken for a filter, and what comes after it is found.
	for length := range text {
		if err := os.WriteFile(path, text[:length], 0o600); err != nil {
			t.Fatal(err)
		}
		x := opened(t, path, false)
		x.Add(two, built(lines(2), false))
		x.Close()
		x = opened(t, path, true)
		f := x.File(1, two)
		if may, isKnown := x.May(&f, hidden); may || !isKnown {
			t.Fatalf("cut after %d bytes: %v, %v", length, may, isKnown)
		}
		x.Close()
	}
}

func TestAFileWithManySubjectsHasSeveralFilters(t *testing.T) {
	const n = 1<<20 + 1000
	b := &termfilter.Builder{}
	line := func(i int) []byte { return fmt.Appendf(nil, "<urn:%08x> <urn:p> <urn:o> .", i) }
	for i := range n {
		b.Line(line(i))
	}
	path := filepath.Join(t.TempDir(), "terms")
	x := opened(t, path, false)
	x.Add(one, b)
	x.Close()
	x = opened(t, path, true)
	f := x.File(1, one)
	for _, i := range []int{0, 1, n / 2, n - 2, n - 1} {
		terms, _ := quadline.Cut(line(i))
		p := quadpattern.Pattern{Subject: terms.Subject}
		if may, isKnown := x.May(&f, termfilter.Ask(&p)); !may || !isKnown {
			t.Errorf("subject %d: %v, %v", i, may, isKnown)
		}
	}
}
