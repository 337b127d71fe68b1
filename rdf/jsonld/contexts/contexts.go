// Package contexts holds the JSON-LD contexts that data on the web names most, as their publishers
// have them. With these, most data can be read without asking the network.
//
//	text, known := contexts.Find("https://w3id.org/ro/crate/1.1/context")
//
// They are kept compressed together, in the order of the index, which says where each is from. Nothing
// is unpacked until a context is first asked for. The program in folder pack makes both files from a
// folder of contexts and its index.
package contexts

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

//go:generate go run -tags generate ./pack -from $CONTEXTS

//go:embed index.tsv
var index string

//go:embed contexts.zst
var packed []byte

// Published is a context, and where it is from.
type Published struct {
	File    string
	IRIs    []string // under which it is published
	Source  string   // the repository, and the path in it
	Date    string   // of the last change
	Commit  string
	Licence string
	line    int // of the packed text
}

// All are the contexts, in the order of the index.
func All() []Published { return read().all }

// Find gives the document of the context that an IRI names, as one line of JSON. The same context is
// named with http and https, with a fragment and with a / at the end.
func Find(iri string) (text []byte, known bool) {
	p := Named(iri)
	if p == nil {
		return nil, false
	}
	whole, err := unpack()
	if err != nil {
		panic(fmt.Sprintf("the contexts in the program: %v", err)) // a test has read them all
	}
	return bytes.Split(whole, []byte("\n"))[p.line], true
}

// Named finds the context that an IRI names, also without its scheme; nil if there is none.
func Named(iri string) *Published {
	i, known := read().byName[nameOf(iri)]
	if !known {
		return nil
	}
	return &read().all[i]
}

// nameOf is what the IRIs of one context have in common: host and path.
func nameOf(iri string) string {
	if HasWebScheme(iri) {
		_, iri, _ = strings.Cut(iri, ":")
	}
	host, path, _ := strings.Cut(strings.TrimPrefix(iri, "//"), "/")
	bare, _, _ := strings.Cut(strings.ToLower(host)+"/"+path, "#")
	return strings.TrimSuffix(bare, "/")
}

// HasWebScheme says that an IRI begins with http:// or https://, in any case.
func HasWebScheme(iri string) bool {
	scheme, rest, _ := strings.Cut(iri, ":")
	return (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")) && strings.HasPrefix(rest, "//")
}

type published struct {
	all    []Published
	byName map[string]int
}

var read = sync.OnceValue(func() (p published) {
	p.byName = map[string]int{}
	for i, row := range strings.Split(strings.TrimSuffix(index, "\n"), "\n")[1:] {
		field := strings.Split(row, "\t")
		date, commit, _ := strings.Cut(field[3], " ")
		p.all = append(p.all, Published{File: field[0], IRIs: strings.Split(field[1], " "), Source: field[2],
			Date: date, Commit: commit, Licence: field[4], line: i})
		for _, iri := range p.all[i].IRIs {
			p.byName[nameOf(iri)] = i
		}
	}
	return p
})

// unpack gives the documents of all contexts, a line each.
func unpack() ([]byte, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.DecodeAll(packed, nil)
}
