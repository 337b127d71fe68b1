package rdfxml_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"laundromat/rdf"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/rdfxml"
)

// outcome is what became of broken documents.
type outcome struct {
	untouched, lost, invented, faults, told int
}

func (o *outcome) add(other outcome) {
	o.untouched += other.untouched
	o.lost += other.lost
	o.invented += other.invented
	o.faults += other.faults
	o.told += other.told
}

var termPattern = regexp.MustCompile(`<[^>]*>|_:\S+|"(?:[^"\\]|\\.)*"(?:@[A-Za-z0-9-]+|\^\^<[^>]*>)?`)

// judge reads a broken document and compares what is read of it with what it said.
func (w *writer) judge(t testing.TB, b wound) (o outcome, lost, invented []saying) {
	t.Helper()
	var c rdftest.Collector
	if err := rdfxml.Read(context.Background(), strings.NewReader(b.text), rdf.Input{Base: "http://base.example/"}, rdfxml.Options{},
		&c); err != nil {
		t.Fatal(err)
	}
	var got []saying
	for _, line := range c.Lines() {
		terms := termPattern.FindAllString(line, 3)
		got = append(got, saying{terms[0], terms[1], terms[2]})
	}
	names := w.match(got)
	meant := map[saying]int{}
	for i, s := range w.sayings {
		meant[s] = i
	}
	read := map[int]bool{}
	for i, s := range got {
		plain := s
		for _, term := range []*string{&plain.s, &plain.o} {
			if strings.HasPrefix(*term, "_:") {
				*term = names[*term]
			}
		}
		if n, ok := meant[plain]; ok {
			read[n] = true
		} else if !c.Quads[i].Repaired && utf8.ValidString(s.s+s.p+s.o) { // else package clean mends or drops it
			o.invented++
			invented = append(invented, s)
		}
	}
	for i, s := range w.sayings {
		if b.touched[i] {
			continue
		}
		o.untouched++
		if !read[i] {
			o.lost++
			lost = append(lost, s)
		}
	}
	lines := func(at int) int64 { return int64(strings.Count(b.text[:min(at, len(b.text))], "\n")) + 1 }
	for _, place := range b.places {
		o.faults++
		for _, n := range c.Notices {
			if from, to := lines(place[0]), lines(place[1]); n.Line >= from && n.Line <= to {
				o.told++
				break
			}
		}
	}
	return o, lost, invented
}

// match finds which blank node of the document each of those read is, by what is said of it.
func (w *writer) match(got []saying) map[string]string {
	type about struct{ p, o string }
	blank := func(term string) bool { return strings.HasPrefix(term, "_:") }
	said, of := map[about]map[string]bool{}, map[about]map[string]bool{}
	note := func(m map[about]map[string]bool, k about, node string) {
		if m[k] == nil {
			m[k] = map[string]bool{}
		}
		m[k][node] = true
	}
	for _, s := range w.sayings {
		if blank(s.s) {
			note(said, about{s.p, s.o}, s.s)
		}
		if blank(s.o) {
			note(of, about{s.s, s.p}, s.o)
		}
	}
	names, taken := map[string]string{}, map[string]bool{}
	settle := func(node string, meant map[string]bool) bool {
		var only string
		for m := range meant {
			if !taken[m] {
				if only != "" {
					return false
				}
				only = m
			}
		}
		if only == "" || names[node] != "" {
			return false
		}
		names[node], taken[only] = only, true
		return true
	}
	named := func(term string) string {
		if blank(term) {
			return names[term]
		}
		return term
	}
	for more := true; more; {
		more = false
		for _, s := range got {
			if blank(s.s) && named(s.o) != "" {
				more = settle(s.s, said[about{s.p, named(s.o)}]) || more
			}
		}
		if more {
			continue
		}
		for _, s := range got {
			if blank(s.o) && named(s.s) != "" && settle(s.o, of[about{named(s.s), s.p}]) {
				more = true
				break
			}
		}
	}
	return names
}

// TestFaultsCostOnlyWhatTheyTouchInAnyLayout breaks documents of every layout and
// vocabulary in every way, once in each and once in a hundred statements.
func TestFaultsCostOnlyWhatTheyTouchInAnyLayout(t *testing.T) {
	places, show := 2, os.Getenv("SHOW_DAMAGE")
	if !testing.Short() {
		places = 4
	}
	var single, dense outcome
	byHarm := map[string]*outcome{}
	for l, layout := range layouts {
		for v := range vocabularies {
			rnd := rand.New(rand.NewPCG(uint64(l), uint64(v)))
			w := writeDocument(layout, v, rnd, 100)
			if o, lost, invented := w.judge(t, wound{text: w.text(), touched: map[int]bool{}}); o.lost+o.invented > 0 {
				t.Fatalf("%s: the sound document loses %v and invents %v", layout.name, lost, invented)
			}
			for h := range harms {
				for made, try := 0, 0; made < places && try < 2000; try++ {
					i := rnd.IntN(len(w.parts))
					b, ok := w.hurt(map[int]*harm{i: &harms[h]})
					if !ok || w.parts[i].kind == gap && (i < 2 || i > len(w.parts)-4) {
						continue
					}
					made++
					o, lost, invented := w.judge(t, b)
					single.add(o)
					key := harms[h].name
					if byHarm[key] == nil {
						byHarm[key] = &outcome{}
					}
					byHarm[key].add(o)
					if (o.lost+o.invented > 0 || o.told < o.faults) && (show == key || show == layout.name || show == "all") {
						w.show(t, harms[h].name+", "+layout.name, b, i, lost, invented, o)
					}
				}
			}
			large := writeDocument(layout, v, rnd, 1000)
			faults := map[int]*harm{}
			for n := 0; len(faults) < len(large.sayings)/100; n++ {
				i := 2 + rnd.IntN(len(large.parts)-6)
				h := &harms[n%len(harms)]
				if _, ok := h.do(large, i, large.parts[i].text); ok && faults[i-1] == nil && faults[i+1] == nil {
					faults[i] = h
				}
			}
			// Some harms change by chance, so that they are possible now and not then.
			if b, ok := large.hurt(faults); ok {
				o, lost, invented := large.judge(t, b)
				dense.add(o)
				if show == "dense" && o.lost+o.invented > 0 {
					large.show(t, "many, "+layout.name, b, 0, lost, invented, o)
				}
			}
		}
	}
	for _, h := range harms {
		if o := byHarm[h.name]; o != nil {
			t.Logf("%-24s %6d untouched, %4d lost, %4d invented, %d of %d told", h.name, o.untouched, o.lost, o.invented, o.told, o.faults)
		}
	}
	t.Logf("one fault: %+v", single)
	t.Logf("many:      %+v", dense)
	for _, o := range []outcome{single, dense} {
		if o.lost*1000 > o.untouched {
			t.Errorf("of %d untouched statements %d are lost", o.untouched, o.lost)
		}
		if o.invented*1000 > o.untouched {
			t.Errorf("%d statements are invented", o.invented)
		}
		if (o.faults-o.told)*100 > o.faults {
			t.Errorf("of %d faults %d are told where they are", o.faults, o.told)
		}
	}
}

func (w *writer) text() string {
	var b strings.Builder
	for i := range w.parts {
		b.WriteString(w.parts[i].text)
	}
	return b.String()
}

func (w *writer) show(t testing.TB, name string, b wound, i int, lost, invented []saying, o outcome) {
	from := 0
	for j := range i {
		from += len(w.parts[j].text)
	}
	around := b.text[max(0, from-300):min(len(b.text), from+600)]
	t.Logf("== %s at %q (told %d of %d)\n%s\n", name, w.parts[i].text, o.told, o.faults, around)
	var c rdftest.Collector
	if err := rdfxml.Read(context.Background(), strings.NewReader(b.text), rdf.Input{Base: "http://base.example/"}, rdfxml.Options{},
		&c); err != nil {
		t.Fatal(err)
	}
	for _, n := range c.Notices[:min(8, len(c.Notices))] {
		t.Log("   told", n.Line, n.Column, n.Code, n.Message, n.Excerpt)
	}
	for _, s := range lost[:min(5, len(lost))] {
		t.Log("   lost", s)
	}
	for _, s := range invented[:min(5, len(invented))] {
		t.Log("   invented", fmt.Sprint(s))
	}
}
