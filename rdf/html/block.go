package html

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/markup/page"
	"laundromat/rdf"
)

// Block is how a script is read that holds RDF in another format than JSON-LD. HTML calls it a data
// block, and Turtle 1.1 (appendix A) and others make use of it.
type Block struct {
	// Source is the name under which the statements of such blocks are counted.
	Source string
	// IsXML says that <!-- and <![CDATA[ are words of the format, and that elements of a page
	// in XML are its plain text. In others no text begins and ends with such marks: they hide the script from old
	// browsers.
	IsXML bool
	// Read reads the text of a block to its end, as a document of its own.
	Read func(ctx context.Context, text io.Reader, in rdf.Input, to rdf.Sink) error
}

// embedded is a script, or an element rdf:RDF, with how it is read.
type embedded struct {
	element *page.Element
	around  []*page.Element // the root first
	how     *Block
}

// embedded are the scripts in other formats than JSON-LD, in document order.
func (r *reader) embedded() (all []embedded) {
	if r.opt.Block == nil {
		return nil
	}
	for e, around := range r.scripts {
		if isJSONLD(e) {
			continue
		}
		if how := r.opt.Block(e.MediaType()); how != nil {
			all = append(all, embedded{e, slices.Clone(around), how})
		}
	}
	return all
}

// isData says that scripts of a media type are read.
func (o *Options) isData(mediaType string) bool {
	return strings.EqualFold(mediaType, jsonLD) || o.Block != nil && o.Block(mediaType) != nil
}

// blocks reads the scripts in other formats than JSON-LD, each a source of labels.
func (r *reader) blocks(ctx context.Context, all []embedded) (counts map[string]int64, err error) {
	ofPage := r.scriptInput()
	for i, block := range all {
		r.sink.isLast = i == len(all)-1
		s, in := block.element.Script(), ofPage
		hides := isBetween
		switch {
		case s.IsMarkup && block.element.Name != "script":
			hides = nil
		case block.how.IsXML:
			hides = isXML
		}
		text := newScript(s, hides)
		switch {
		case s.IsMarkup && block.how.IsXML:
			r.stand(&in, append(block.around, block.element))
		case s.IsMarkup:
			r.isNoText(&text, block.element)
		}
		read, err := r.count(func() error {
			return r.script(&text, func(text io.Reader) error { return block.how.Read(ctx, text, in, r.sink) })
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

// isNoText recognises that a script of a page in XML holds elements, which are read as its text
// all the same. Where comment marks are all it holds these are reported instead.
func (r *reader) isNoText(s *script, e *page.Element) {
	if s.mended {
		return
	}
	s.repaired = true
	r.sink.Notice(fault.Notice{Code: fault.ScriptMarkup, Severity: fault.Repair, Pos: e.Script().Pos, Message: "a script of data in XML " +
		"holds tags, which should be written as &lt; or in a CDATA section; it was read as it is",
		Excerpt: fault.Excerpt(s.text[:min(len(s.text), fault.MaxExcerpt)])})
}

// stand takes into in what the page says to a part of it that is XML in itself.
func (r *reader) stand(in *rdf.Input, path []*page.Element) {
	around := &rdf.Around{Namespaces: map[string]string{}, Prolog: r.page.Prolog}
	for _, e := range path {
		for _, a := range e.Attrs {
			prefix, isPrefix := strings.CutPrefix(a.Name, "xmlns:")
			switch {
			case e.Lost(func(name string) bool { return name == a.Name }) != nil:
			case isPrefix:
				around.Namespaces[prefix] = a.Value
			case a.Name == "xmlns":
				around.Namespaces[""] = a.Value
			case a.Name == "xml:lang" && r.page.Host != page.HTML:
				around.Language = strings.TrimFunc(a.Value, page.IsSpace)
			case a.Name == "xml:base" && r.page.Host == page.XML && e != path[len(path)-1]:
				href := []byte(strings.TrimFunc(a.Value, page.IsSpace))
				if in.Base != "" || rfc3986.IsAbsolute(href) {
					in.Base = string(rfc3986.AppendResolved(nil, []byte(in.Base), href))
					in.BaseIsFile = in.BaseIsFile && !rfc3986.IsAbsolute(href)
				}
			}
		}
	}
	in.Around = around
}

// scripts hands out the script elements of the page, and those that are read as such, in document
// order. With each come the elements around it, which are valid until the next.
func (r *reader) scripts(yield func(*page.Element, []*page.Element) bool) {
	var around []*page.Element
	var walk func(*page.Element) bool
	walk = func(e *page.Element) bool {
		if e.Script() != nil && !yield(e, around) {
			return false
		}
		around = append(around, e)
		for i := range e.Children {
			if c := e.Children[i].Element; c != nil && !walk(c) {
				return false
			}
		}
		around = around[:len(around)-1]
		return true
	}
	for _, root := range r.page.Roots {
		if !walk(root) {
			return
		}
	}
}

// isJSON says that what is after an opening mark, or before a closing one, begins
// like a document of JSON-LD.
func isJSON(text []byte, _, _ bool) bool { return text[0] == '{' || text[0] == '[' }

// isBetween says that a text is between two marks. One alone may belong to a comment
// of Turtle.
func isBetween(_ []byte, opened, closed bool) bool { return opened && closed }

// isXML says that one element, or what looks like it, is all that is between two marks.
func isXML(text []byte, opened, closed bool) bool {
	return opened && closed && text[0] == '<' && text[len(text)-1] == '>' && !bytes.Contains(text, []byte("-->")) &&
		!bytes.Contains(text, []byte("]]>"))
}
