package ttl_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/rdf"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/ttl"
)

// chain is the list of nodes that begins with the object of the statement about a:s, and the rdf:first of each,
// "" where there is none. If the last node has rdf:nil as its rdf:rest, ended is true.
func chain(c *rdftest.Collector) (firsts []string, ended, begun bool) {
	rest, first := map[uint64]*rdf.Term{}, map[uint64]string{}
	var node *rdf.Term
	for i := range c.Quads {
		q := &c.Quads[i]
		switch string(q.Predicate.Value) {
		case rdf.Rest:
			rest[q.Subject.Anonymous] = &q.Object
		case rdf.First:
			first[q.Subject.Anonymous] = string(q.Object.Value)
		default:
			if string(q.Subject.Value) == "a:s" {
				node = &q.Object
			}
		}
	}
	for begun = node != nil; node != nil && node.Kind == rdf.BlankNode; node = rest[node.Anonymous] {
		firsts = append(firsts, first[node.Anonymous])
	}
	return firsts, node != nil && string(node.Value) == rdf.Nil, begun
}

func lost(c *rdftest.Collector) (n int) {
	for i := range c.Notices {
		n += int(c.Notices[i].Lost)
	}
	return n
}

func hasLine(c *rdftest.Collector, line string) bool { return slices.Contains(c.Lines(), line) }

// TestABrokenMemberCostsItsFirstAlone: the node stays in the list, wherever it is in it, and whatever is
// wrong with the member.
func TestABrokenMemberCostsItsFirstAlone(t *testing.T) {
	bad := 0
	broken := []string{"bad:x", "=", "word", "5x", `"\uD800"`, `"x"@1`, `"x"^^bad:x`, "<http://a b/>"}
	for n := 1; n <= 4; n++ {
		for k := range n {
			for _, member := range broken {
				var want, text []string
				for i := range n {
					want, text = append(want, fmt.Sprintf("m%d", i)), append(text, fmt.Sprintf("%q", fmt.Sprintf("m%d", i)))
				}
				want[k], text[k] = "", member
				for _, around := range []string{"@prefix : <a:> .\n:s :p ( %s ) .\n:t :p :o .",
					"@prefix : <a:> .\n:g {\n:s :p ( %s ) . }\n:t :p :o ."} {
					c, _ := read(t, strings.NewReader(fmt.Sprintf(around, strings.Join(text, " "))), ttl.Options{Syntax: ttl.TriG})
					firsts, ended, _ := chain(c)
					if !slices.Equal(firsts, want) || !ended || lost(c) != 1 || !hasLine(c, "<a:t> <a:p> <a:o> .") {
						if bad++; bad < 5 {
							t.Logf("%d members, %s in the place of %d: list %q, ended %v, lost %d\n%s", n, member, k, firsts, ended,
								lost(c), dump(c))
						}
					}
				}
			}
		}
	}
	if most := mostBad["members"]; bad > most {
		t.Errorf("%d lists, and at most %d are known", bad, most)
	}
}

// TestAListWithoutItsEndIsNoneOfItsStatement: what is in it before the fault is kept, and its last node has no
// rdf:rest. The statements after it are what they would be without it.
func TestAListWithoutItsEndIsNoneOfItsStatement(t *testing.T) {
	for n := 1; n <= 4; n++ {
		var members, want []string
		for i := range n {
			members, want = append(members, fmt.Sprintf("%q", fmt.Sprintf("m%d", i))), append(want, fmt.Sprintf("m%d", i))
		}
		list := strings.Join(members, " ")
		for _, around := range []string{
			"@prefix : <a:> .\n:s :p ( %s .\n:t :p :o .",
			"@prefix : <a:> .\n:s :p ( %s . :t :p :o .",
			"@prefix : <a:> .\n:s :p ( %s\n:t :p :o .",
			"@prefix : <a:> .\n:g { :s :p ( %s . }\n:t :p :o .",
			"@prefix : <a:> .\n:g {\n:s :p ( %s }\n:t :p :o .",
			"@prefix : <a:> .\n:s :p [ :q ( %s ] .\n:t :p :o .",
			"@prefix : <a:> .\n:t :p :o .\n:s :p ( %s",
		} {
			text := fmt.Sprintf(around, list)
			c, _ := read(t, strings.NewReader(text), ttl.Options{Syntax: ttl.TriG})
			var firsts []string
			for i := range c.Quads {
				q := &c.Quads[i]
				switch string(q.Predicate.Value) {
				case rdf.First:
					firsts = append(firsts, string(q.Object.Value))
				case rdf.Rest:
					if string(q.Object.Value) == rdf.Nil {
						t.Errorf("%q: a list is ended that has no end\n%s", text, dump(c))
					}
				case "a:q":
					t.Errorf("%q: a list without an end is an object\n%s", text, dump(c))
				}
			}
			if _, _, begun := chain(c); begun && !strings.Contains(around, "[") {
				t.Errorf("%q: a list without an end is an object\n%s", text, dump(c))
			}
			isOpen(t, text, len(firsts) < n-1 || !slices.Equal(firsts, want[:min(len(firsts), n)]) || !hasLine(c, "<a:t> <a:p> <a:o> ."))
		}
	}
}
