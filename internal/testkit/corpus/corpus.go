// Package corpus makes the linked data that the benchmarks wash: always the same,
// in the manner of DBpedia, in any of a few formats.
package corpus

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

// Format is how the statements are written.
type Format string

// The formats that can be made.
const (
	NTriples Format = "nt"
	NQuads   Format = "nq"
	Turtle   Format = "ttl"
	TriG     Format = "trig"
	RDFXML   Format = "rdf"
	JSONLD   Format = "jsonld"
)

const (
	resource = "http://dbpedia.org/resource/"
	ontology = "http://dbpedia.org/ontology/"
	graphs   = "http://dbpedia.org/graph/"
	rdfs     = "http://www.w3.org/2000/01/rdf-schema#"
	rdf      = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	owl      = "http://www.w3.org/2002/07/owl#"
	xsd      = "http://www.w3.org/2001/XMLSchema#"
)

const (
	// perSubject is how many statements one subject has.
	perSubject = 10
	// perGraph is how many subjects follow each other in one graph, where a format has graphs.
	perGraph = 100
)

// Corpus is a document.
type Corpus struct {
	Format Format
	// Family distinguishes subjects: those of two families have nothing in common.
	Family int
	// Statements are rounded up to whole subjects. One in fifty is there twice.
	Statements int
	// Named says that there are no blank nodes, as in DBpedia's own files; without it one
	// statement in ten has one.
	Named bool
}

// Write writes n statements about subjects of a family, a tenth with blank nodes.
func Write(to io.Writer, format Format, family, n int) error {
	return Corpus{Format: format, Family: family, Statements: n}.Write(to)
}

// Write writes the document.
func (c Corpus) Write(to io.Writer) error {
	w, known := writers[c.Format]
	if !known {
		return fmt.Errorf("corpus: no format %q", c.Format)
	}
	family, n := c.Family, c.Statements
	out := bufio.NewWriterSize(to, 64<<10)
	out.WriteString(w.head)
	random := generator(uint64(family)*0x9E3779B97F4A7C15 + 1)
	for made := 0; made < n; made += perSubject {
		number := made / perSubject
		if number > 0 {
			out.WriteString(w.between)
		}
		if w.graph != nil && number%perGraph == 0 {
			w.graph(out, number)
		}
		s := newSubject(family, number, &random)
		s.named = c.Named
		w.subject(out, s)
	}
	out.WriteString(w.foot)
	return out.Flush()
}

// WriteFile writes n statements to a new file, as Write does, and returns its size in bytes.
func WriteFile(name string, format Format, family, n int) (size int64, err error) {
	file, err := os.Create(name)
	if err != nil {
		return 0, err
	}
	err = Write(file, format, family, n)
	if info, statErr := file.Stat(); err == nil {
		if err = statErr; err == nil {
			size = info.Size()
		}
	}
	return size, errors.Join(err, file.Close())
}

// generator is a xorshift generator of pseudo-random numbers: few lines, and the
// same everywhere.
type generator uint64

func (g *generator) next(n int) int {
	*g ^= *g << 13
	*g ^= *g >> 7
	*g ^= *g << 17
	return int(uint64(*g) >> 1 % uint64(n))
}

// subject is what is said of one thing.
type subject struct {
	name       string
	label      string
	abstract   string
	class      string
	population int
	area       string
	founded    string
	links      [2]string
	homepage   string
	wikidata   string
	graph      string
	named      bool // the page has an IRI, and is no blank node
}

var (
	syllables = []string{"ba", "den", "el", "for", "gra", "haus", "in", "kö", "lau", "mar", "nor", "os", "pen", "ri", "sta", "tú", "ver",
		"wald", "yl", "zu"}
	classes = []string{"Settlement", "Person", "Film", "Species", "MusicalWork", "Building", "Organisation"}
	words   = []string{"is", "a", "town", "in", "the", "north", "of", "known", "for", "its", "river", "and", "old", "market", "with",
		"many", "houses", "café", "since", "then"}
)

func newSubject(family, number int, random *generator) subject {
	name := ""
	for range 2 + random.next(3) {
		name += syllables[random.next(len(syllables))]
	}
	abstract := name
	for range 12 + random.next(20) {
		abstract += " " + words[random.next(len(words))]
	}
	s := subject{
		name:       fmt.Sprintf("%s_%x_%d", name, family, number),
		label:      name,
		abstract:   abstract + ".",
		class:      classes[random.next(len(classes))],
		population: random.next(5_000_000),
		area:       fmt.Sprintf("%d.%dE3", 1+random.next(9), random.next(1000)),
		founded:    fmt.Sprintf("%d-%02d-%02d", 1000+random.next(1020), 1+random.next(12), 1+random.next(28)),
		links:      [2]string{link(family, random), link(family, random)},
		homepage:   fmt.Sprintf("http://www.%s.example/%d", syllables[random.next(7)], number),
		wikidata:   fmt.Sprintf("http://www.wikidata.org/entity/Q%d", random.next(1<<30)),
		graph:      graphOf(number),
	}
	if len(s.abstract)%5 == 0 { // says a thing twice
		s.links[1] = s.links[0]
	}
	return s
}

func link(family int, random *generator) string {
	return fmt.Sprintf("%s_%x", syllables[random.next(7)]+syllables[random.next(7)], family)
}

func graphOf(number int) string { return fmt.Sprintf("%s%d", graphs, number/perGraph) }
