package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
)

// shape is a kind of document.
type shape struct {
	name, title, extension string
	memory                 string // --memory of the wash
	bound                  int64  // of the anonymous memory, in bytes

	head, between, foot string
	// item writes the item of a number, which holds itemStatements statements.
	item           func(w *bufio.Writer, number int64)
	itemStatements int64
	// counted says that the document has as many statements as are asked for, and not as many bytes.
	counted bool
}

const (
	resource = "http://example.org/resource/"
	ontology = "http://example.org/ontology/"
	xsd      = "http://www.w3.org/2001/XMLSchema#"
	// terms is a context in which the names of an item stand for themselves.
	terms = `"@context":{"@vocab":"` + ontology + `","r":"` + resource + `","population":{"@type":"` + xsd +
		`integer"},"link":{"@type":"@id"},"label":{"@language":"en"}}`
)

// shapes are those that are read as a stream: an array, one @graph, a document a line; and
// one subject that never ends.
var shapes = []shape{
	{name: "array", title: "JSON-LD, an array", extension: "jsonld", memory: "512M", bound: 512 << 20,
		head: "[\n", between: ",\n", foot: "\n]\n", item: writePlain, itemStatements: 6},
	{name: "graph", title: "JSON-LD, one `@graph` behind its context", extension: "jsonld", memory: "512M", bound: 512 << 20,
		head: "{" + terms + ",\n\"@graph\":[\n", between: ",\n", foot: "\n]}\n",
		item: func(w *bufio.Writer, n int64) { writeTerms(w, n, "{") }, itemStatements: 6},
	{name: "lines", title: "JSON-LD, lines, each with its context", extension: "jsonld", memory: "512M", bound: 512 << 20,
		between: "\n", foot: "\n", item: func(w *bufio.Writer, n int64) { writeTerms(w, n, "{"+terms+",") }, itemStatements: 6},
	{name: "description", title: "RDF/XML, one `rdf:Description`", extension: "rdf", memory: "200M", bound: 200 << 20,
		head: `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:o="` + ontology + `">` +
			"\n<rdf:Description rdf:about=\"" + resource + "all\">\n",
		foot: "</rdf:Description>\n</rdf:RDF>\n", item: writeProperties, itemStatements: 2, counted: true},
}

// mixed puts numbers in no order, each once: the sort is to have work.
func mixed(n int64) int64 { return n * 1_000_003 % 1_000_000_007 }

// writePlain writes a node without a context.
func writePlain(w *bufio.Writer, n int64) {
	m := mixed(n)
	fmt.Fprintf(w, `{"@id":"%[1]s%[3]d","@type":"%[2]sTown","%[2]slabel":{"@value":"Town of %[3]d","@language":"en"},"%[2]spopulation":{"@value":"%[4]d","@type":"%[5]sinteger"},"%[2]slink":[{"@id":"%[1]s%[6]d"},{"@id":"%[1]sx%[6]d"}],"%[2]sabstract":"The café of the town %[3]d is known for its river and its old market."}`,
		resource, ontology, m, n%5_000_000, xsd, m/2)
}

// writeTerms writes the same node with the names of a context; open is what it begins with.
func writeTerms(w *bufio.Writer, n int64, open string) {
	m := mixed(n)
	fmt.Fprintf(w, `%s"@id":"r:%d","@type":"Town","label":"Town of %d","population":"%d","link":["r:%d","r:x%d"],"abstract":"The café of the town %d is known for its river and its old market."}`,
		open, m, m, n%5_000_000, m/2, m/2, m)
}

// writeProperties writes two properties of the one subject.
func writeProperties(w *bufio.Writer, n int64) {
	m := mixed(n)
	fmt.Fprintf(w, "  <o:label xml:lang=\"en\">Town of %d</o:label>\n  <o:link rdf:resource=\"%s%d\"/>\n", m, resource, m)
}

// writeFile writes a document of at least so many bytes, or statements, to a new file,
// and returns how many it has of both.
func (s *shape) writeFile(name string, bytes, statements int64) (size, made int64, err error) {
	file, err := os.Create(name)
	if err != nil {
		return 0, 0, err
	}
	counting := &counter{to: file}
	w := bufio.NewWriterSize(counting, 1<<16)
	w.WriteString(s.head)
	for n := int64(0); s.counted && made < statements || !s.counted && counting.written+int64(w.Buffered()) < bytes; n++ {
		if n > 0 {
			w.WriteString(s.between)
		}
		s.item(w, n)
		made += s.itemStatements
	}
	w.WriteString(s.foot)
	err = errors.Join(w.Flush(), file.Close())
	return counting.written, made, err
}

type counter struct {
	to      *os.File
	written int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.written += int64(n)
	return n, err
}
