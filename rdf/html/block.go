package html

import (
	"context"
	"io"
	"strings"

	"laundromat/rdf"
	"laundromat/rdf/page"
)

// Block is how a script is read that holds RDF in another format than JSON-LD: a data
// block, as HTML calls it, of which Turtle 1.1 (appendix A) and others make use.
type Block struct {
	// Source is the name under which the statements of such blocks are counted.
	Source string
	// HasComments says that <!-- and <![CDATA[ are words of the format. In others no text
	// begins and ends with such marks: they hide the script from old browsers.
	HasComments bool
	// Read reads the text of a block to its end, as a document of its own.
	Read func(ctx context.Context, text io.Reader, in rdf.Input, to rdf.Sink) error
}

// embedded is a script with how it is read.
type embedded struct {
	script *page.Script
	how    *Block
}

// embedded are the scripts in other formats than JSON-LD, in document order.
func (r *reader) embedded() (all []embedded) {
	if r.opt.Block == nil {
		return nil
	}
	for e := range r.scripts {
		if isJSONLD(e) {
			continue
		}
		if how := r.opt.Block(mediaType(e)); how != nil {
			all = append(all, embedded{e.Script(), how})
		}
	}
	return all
}

// blocks reads the scripts in other formats than JSON-LD, each a source of labels.
func (r *reader) blocks(ctx context.Context, all []embedded) (counts map[string]int64, err error) {
	in := r.scriptInput()
	for i, block := range all {
		r.sink.isLast = i == len(all)-1
		hides := isBetween
		if block.how.HasComments {
			hides = nil
		}
		s := newScript(block.script, hides)
		read, err := r.count(func() error {
			return r.script(&s, func(text io.Reader) error { return block.how.Read(ctx, text, in, r.sink) })
		})
		if counts == nil {
			counts = map[string]int64{}
		}
		counts[block.how.Source] += read
		if err != nil {
			return counts, err
		}
	}
	return counts, nil
}

// scripts hands out the script elements of the page, in document order.
func (r *reader) scripts(yield func(*page.Element) bool) {
	var walk func(*page.Element) bool
	walk = func(e *page.Element) bool {
		if e.Script() != nil && !yield(e) {
			return false
		}
		for i := range e.Children {
			if c := e.Children[i].Element; c != nil && !walk(c) {
				return false
			}
		}
		return true
	}
	for _, root := range r.page.Roots {
		if !walk(root) {
			return
		}
	}
}

// mediaType is the @type of a script, without its parameters.
func mediaType(e *page.Element) string {
	typ, _ := e.Get("type")
	typ, _, _ = strings.Cut(typ, ";")
	return strings.TrimFunc(typ, page.IsSpace)
}

// isJSON says that what stands behind an opening mark, or before a closing one, begins
// like a document of JSON-LD.
func isJSON(text []byte, _, _ bool) bool { return text[0] == '{' || text[0] == '[' }

// isBetween says that a text stands between two marks. One alone may belong to a comment
// of Turtle.
func isBetween(_ []byte, opened, closed bool) bool { return opened && closed }
