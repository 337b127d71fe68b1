package rdftest

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"sort"
	"strings"

	"laundromat/rdf"
)

// Isomorphic says whether two sets of quads are the same up to the names of their blank nodes. See RDF 1.1
// Concepts §3.6, and §4.1 for datasets. Duplicates and order do not count.
func Isomorphic(a, b []rdf.Quad) bool {
	x, y := newDataset(a), newDataset(b)
	if len(x.quads) != len(y.quads) || len(x.nodes) != len(y.nodes) {
		return false
	}
	return guess(x, y, nil, nil, 0)
}

// dataset is a set of quads of four strings, blank nodes beginning with "_:". A triple term is a node
// of its own in it, named by what it says. Quads in a graph of its own say what its terms are. So
// graphs are the same if and only if their triple terms are.
type dataset struct {
	quads map[[4]string]bool
	nodes []string
	seen  map[string]bool
}

func newDataset(quads []rdf.Quad) *dataset {
	d := &dataset{quads: map[[4]string]bool{}, seen: map[string]bool{}}
	for i := range quads {
		q := &quads[i]
		d.quads[[4]string{d.term(&q.Subject), d.term(&q.Predicate), d.term(&q.Object), d.term(&q.Graph)}] = true
	}
	return d
}

func (d *dataset) term(t *rdf.Term) string {
	switch t.Kind {
	case rdf.TripleTerm:
		s, p, o := d.term(&t.Triple.Subject), d.term(&t.Triple.Predicate), d.term(&t.Triple.Object)
		name := d.node(fmt.Sprintf("_: triple %q %q %q", s, p, o))
		d.quads[[4]string{name, "subject", s, "triple"}] = true
		d.quads[[4]string{name, "predicate", p, "triple"}] = true
		d.quads[[4]string{name, "object", o, "triple"}] = true
		return name
	case rdf.Literal:
		lower := *t
		lower.Language = []byte(strings.ToLower(string(t.Language)))
		return string(rdf.AppendTerm(nil, &lower))
	case rdf.BlankNode:
		return d.node(string(rdf.AppendTerm(nil, t)))
	}
	return string(rdf.AppendTerm(nil, t))
}

func (d *dataset) node(name string) string {
	if !d.seen[name] {
		d.seen[name] = true
		d.nodes = append(d.nodes, name)
	}
	return name
}

// colours refines a colour for each blank node from the quads it is in, until the number of colours no
// longer grows. Fixed nodes keep the colour given.
func (d *dataset) colours(fixed map[string]string) map[string]string {
	colour := map[string]string{}
	for _, n := range d.nodes {
		colour[n] = fixed[n]
	}
	for classes := 0; ; {
		around := map[string][]string{}
		for q := range d.quads {
			for i, term := range q {
				if _, blank := colour[term]; !blank {
					continue
				}
				var row []string
				for j, other := range q {
					if c, blank := colour[other]; blank {
						if other == term {
							c = "self"
						}
						other = "_:" + c
					}
					row = append(row, fmt.Sprint(j, other))
				}
				around[term] = append(around[term], fmt.Sprint(i, row))
			}
		}
		next, distinct := map[string]string{}, map[string]bool{}
		for _, n := range d.nodes {
			slices.Sort(around[n])
			sum := sha256.Sum256([]byte(colour[n] + "\x00" + strings.Join(around[n], "\x00")))
			next[n] = fmt.Sprintf("%x", sum[:12])
			distinct[next[n]] = true
		}
		if len(distinct) == classes {
			return next
		}
		colour, classes = next, len(distinct)
	}
}

func classesOf(colour map[string]string) map[string][]string {
	classes := map[string][]string{}
	for n, c := range colour {
		classes[c] = append(classes[c], n)
	}
	return classes
}

// guess tries to pair the nodes of x with those of y. Colours refine, and where a class still has
// several nodes, each pairing of its first is tried.
func guess(x, y *dataset, fixedX, fixedY map[string]string, depth int) bool {
	cx, cy := classesOf(x.colours(fixedX)), classesOf(y.colours(fixedY))
	if len(cx) != len(cy) {
		return false
	}
	var open []string
	pairs := map[string]string{}
	for c, nodes := range cx {
		if len(nodes) != len(cy[c]) {
			return false
		}
		if len(nodes) > 1 {
			open = append(open, c)
		} else {
			pairs[nodes[0]] = cy[c][0]
		}
	}
	if len(open) == 0 {
		return sameQuads(x, y, pairs)
	}
	sort.Slice(open, func(i, j int) bool { return len(cx[open[i]]) < len(cx[open[j]]) })
	node, mark := cx[open[0]][0], fmt.Sprintf("fixed%d", depth)
	for _, other := range cy[open[0]] {
		fx, fy := with(fixedX, node, mark), with(fixedY, other, mark)
		if guess(x, y, fx, fy, depth+1) {
			return true
		}
	}
	return false
}

func with(m map[string]string, key, value string) map[string]string {
	next := map[string]string{key: value}
	for k, v := range m {
		next[k] = v
	}
	return next
}

func sameQuads(x, y *dataset, pairs map[string]string) bool {
	for q := range x.quads {
		for i, term := range q {
			if other, blank := pairs[term]; blank {
				q[i] = other
			}
		}
		if !y.quads[q] {
			return false
		}
	}
	return true
}
