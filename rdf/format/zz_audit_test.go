package format_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/format"
	"laundromat/rdf/rdftest"
)

func lineAt(s string, p fault.Pos) bool {
	if p.Line == 0 {
		return true
	}
	if p.Offset > int64(len(s)) {
		return false
	}
	pre := s[:p.Offset]
	line := int64(strings.Count(pre, "\n")) + 1
	col := int64(len([]rune(pre[strings.LastIndexByte(pre, '\n')+1:]))) + 1
	return line == p.Line && (col == p.Column || strings.ContainsAny(pre, "\xff\x80\xe9"))
}

func TestAuditMutations(t *testing.T) {
	for _, f := range []struct {
		f    format.Format
		file string
	}{{format.RDFXML, "/tmp/mk/aud/a.rdf"}, {format.HTML, "/tmp/mk/aud/a.html"}, {format.HTML, "/tmp/mk/aud/a.xhtml"}, {format.RDFa, "/tmp/mk/aud/a.xhtml"}, {format.TriX, "/tmp/mk/aud/a.trix"}} {
		b, err := os.ReadFile(f.file)
		if err != nil {
			t.Fatal(err)
		}
		doc := string(b)
		clean := map[string]bool{}
		run := func(s string) (*rdftest.Collector, map[string]int64) {
			var c rdftest.Collector
			src := map[string]int64{}
			_, err := format.Parse(context.Background(), f.f, strings.NewReader(s), format.Options{Input: rdf.Input{Base: "http://b/d"}, Sources: src}, &c)
			if err != nil {
				t.Fatal(err)
			}
			return &c, src
		}
		key := func(q *rdf.Quad) string {
			s := string(rdf.AppendQuad(nil, q))
			return s
		}
		c0, src0 := run(doc)
		t.Log(f.f, len(doc), len(c0.Quads), src0, c0.Notices)
		for i := range c0.Quads {
			clean[key(&c0.Quads[i])] = true
		}
		silent := map[string]int{}
		tell := func(kind, s string, at int, what string) {
			if silent[kind]++; silent[kind] <= 12 {
				lo, hi := max(0, at-40), min(len(s), at+40)
				fmt.Printf("%s %s @%d %q | %s\n", f.f, kind, at, s[lo:hi], what)
			}
		}
		try := func(s string, at int, op string) {
			begin := time.Now()
			c, src := run(s)
			if d := time.Since(begin); d > 2*time.Second {
				tell("slow", s, at, d.String())
			}
			got := map[string]int{}
			inv := ""
			for i := range c.Quads {
				k := key(&c.Quads[i])
				got[k]++
				if !clean[k] && !c.Quads[i].Repaired && inv == "" {
					inv = k
				}
			}
			missing := ""
			for k := range clean {
				if got[k] == 0 && missing == "" {
					missing = k
				}
			}
			var sum int64
			for _, n := range src {
				sum += n
			}
			if f.f == format.HTML && sum > int64(len(c.Quads)+c.Lost()) {
				tell("sum", s, at, fmt.Sprint(src, len(c.Quads), c.Lost()))
			}
			if missing != "" && len(c.Notices) == 0 && inv == "" && len(c.Quads) < len(c0.Quads) {
				tell("silent-"+op, s, at, missing)
			}
			if len(c.Quads) < len(c0.Quads) && c.Lost() == 0 {
				tell("nolost-"+op, s, at, fmt.Sprint(missing, len(c0.Quads)-len(c.Quads), c.Notices))
			}
			for _, n := range c.Notices {
				if !lineAt(s, n.Pos) {
					tell("pos-"+op, s, at, fmt.Sprint(n))
				}
			}
		}
		for i := 0; i < len(doc); i++ {
			try(doc[:i]+doc[i+1:], i, "del")
			try(doc[:i]+doc[i:i+1]+doc[i:], i, "dup")
			for _, r := range []string{"<", ">", "\"", "&", " ", "x", "\x00", "\xe9"} {
				try(doc[:i]+r+doc[i+1:], i, "rep"+r)
			}
			if f.f != format.HTML || true {
				try(doc[:i], i, "cut")
			}
		}
		fmt.Println(f.f, silent)
	}
}
