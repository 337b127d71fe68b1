// Package html reads all RDF that a page holds: RDFa, Microdata, microformats, and JSON-LD and other formats
// in script elements. RDF/XML that is in the page as it is (an element rdf:RDF, as in the metadata of
// SVG) is read too. The page is parsed once.
//
//	sources, err := html.Read(ctx, text, rdf.Input{Base: "http://example.org/"}, html.Options{}, sink)
//
// The statements come source after source. First are those of RDFa (package rdfa), then those of
// Microdata (package microdata) and of microformats (package microformats). Those of the scripts in
// JSON-LD (package jsonld) follow, then those
// of the scripts in other formats (see [Block]). Each source is in document order. A statement that
// two sources say comes twice. All places are those in the page, also of what is in a script.
//
// Each script is a document of its own, with the base IRI of the page; what is broken in one costs
// nothing of another. Blank nodes with the same label in several scripts of JSON-LD are one node, as
// JSON-LD 1.1 §7 wants it. In any other two sources, or two scripts, the same label is two nodes.
//
// A page without any of these has no statements. It has no findings, but those on words of RDFa,
// Microdata and microformats that say nothing in their places.
package html

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/markup/page"
	"laundromat/rdf"
	"laundromat/rdf/jsonld"
	"laundromat/rdf/microdata"
	"laundromat/rdf/microformats"
	"laundromat/rdf/rdfa"
)

// Options of a reading; zero values mean what is said here.
type Options struct {
	page.Options
	// JSONLD is how scripts are read. Its MaxBytes is not looked at: a script is bounded
	// by the page, and its values by what MaxMemory leaves.
	JSONLD  jsonld.Options
	Scripts Scripts
	// Block finds how scripts of a media type are read that is not JSON-LD's, without
	// parameters; nil if they are no RDF. Without it, no such script is read.
	Block func(mediaType string) *Block
}

// Scripts says which JSON-LD scripts of a page are read, and how (JSON-LD 1.1 API §9.4
// and its option extractAllScripts). The zero value reads all, each as a document.
type Scripts struct {
	// ID names the only script to read by its @id: the fragment of the IRI that was
	// asked for. One that is not there is a lost statement.
	ID string
	// First reads the first script alone.
	First bool
	// Joined reads all scripts as the items of one array, as extractAllScripts of the JSON-LD API
	// does. A script that is but a @graph is then a graph without a name.
	Joined bool
}

// Sources counts the statements that a page was read for, by their sources in it. They are those
// handed on and those lost, repaired ones included, before any duplicates are taken out. What the page
// as a whole lost (it was nested too deeply, or cut short) is in none of them.
type Sources struct {
	RDFa, Microdata, JSONLD int64
	Microformats            int64
	Blocks                  map[string]int64 // by Block.Source; those that the page has
}

// MemoryFactor is how many bytes of memory the process takes at its peak for a byte of
// a page.
const MemoryFactor = page.MemoryFactor

// Read reads a page and hands its statements to a sink.
//
// It returns nil as error at the end of the page, whatever it found there. It returns an error if the
// sink fails (as *rdf.SinkError), if text can't be read, or if ctx ends. A page longer than
// opt.MaxBytes is an error of kind Limit, code limit/memory. The counts are of what was read until
// then.
func Read(ctx context.Context, text io.Reader, in rdf.Input, opt Options, to rdf.Sink) (counts Sources, err error) {
	opt.IsData = opt.isData
	p, err := page.Read(ctx, text, opt.Options, to)
	if err != nil {
		return counts, fmt.Errorf("read HTML: %w", err)
	}
	r := &reader{page: p, in: in, opt: opt}
	r.sink = &sink{to: to, in: &r.in}
	counts.RDFa, err = r.count(func() error { return rdfa.Process(ctx, p, r.in, r.sink) })
	if err == nil {
		counts.Microdata, err = r.count(func() error { return microdata.Process(ctx, p, r.in, r.sink) })
	}
	if err == nil {
		counts.Microformats, err = r.count(func() error { return microformats.Process(ctx, p, r.in, r.sink) })
	}
	if err != nil {
		return counts, err
	}
	others := r.embedded()
	r.sink.isLast = len(others) == 0
	counts.JSONLD, err = r.count(func() error { return r.jsonld(ctx) })
	if err == nil {
		counts.Blocks, err = r.blocks(ctx, others)
	}
	return counts, err
}

type reader struct {
	page *page.Page
	in   rdf.Input
	opt  Options
	sink *sink
}

// count says how many statements a source is read for.
func (r *reader) count(read func() error) (int64, error) {
	before := r.sink.read
	err := read()
	r.sink.nextSource()
	return r.sink.read - before, err
}

// jsonld reads the scripts in JSON-LD.
func (r *reader) jsonld(ctx context.Context) error {
	all := r.wanted()
	in := r.scriptInput()
	opt := r.opt.JSONLD
	opt.MaxBytes, opt.OneValue = r.opt.MaxBytes, true
	opt.MaxLiteral = 0 // the page itself is held too
	if r.opt.MaxMemory > 0 {
		opt.MaxBytes = max(1, (r.opt.MaxMemory-r.page.Need)/jsonld.MemoryFactor)
	}
	if r.opt.Scripts.Joined && len(all) > 0 {
		all = []script{join(all)}
	}
	for i := range all {
		if err := r.script(&all[i], func(text io.Reader) error { return jsonld.Read(ctx, text, in, opt, r.sink) }); err != nil {
			return err
		}
	}
	return nil
}

// scriptInput is what a reader of scripts is to know of the page.
func (r *reader) scriptInput() rdf.Input {
	in := r.in
	if href := r.page.BaseHref(); href != "" && (in.Base != "" || rfc3986.IsAbsolute([]byte(href))) {
		in.Base = string(rfc3986.AppendResolved(nil, []byte(in.Base), []byte(href)))
		in.BaseIsFile = in.BaseIsFile && !rfc3986.IsAbsolute([]byte(href))
	}
	return in
}

// script has a script read, unless it is lost.
func (r *reader) script(s *script, read func(io.Reader) error) error {
	if s.mended {
		r.sink.Notice(fault.Notice{Code: fault.ScriptComment, Severity: fault.Repair, Pos: s.place(s.mark),
			Message: "marks that hide a script from old browsers were left out", Excerpt: fault.Excerpt(s.excerpt)})
	}
	if s.lost != nil {
		n := *s.lost
		n.Severity, n.Lost, n.Bytes = fault.Drop, 1, int64(len(s.text))
		r.sink.Notice(n)
		return nil
	}
	r.sink.script = s
	err := read(bytes.NewReader(s.text))
	r.sink.nextScript()
	return err
}

// wanted are the scripts in JSON-LD to read, in document order.
func (r *reader) wanted() (all []script) {
	want := r.opt.Scripts
	for e := range r.scripts {
		if isJSONLD(e) && (!want.First || len(all) == 0) {
			if id, _ := e.Get("id"); want.ID == "" || id == want.ID && len(all) == 0 {
				s := newScript(e.Script(), isJSON)
				if e.Script().IsMarkup {
					r.isNoText(&s, e)
				}
				all = append(all, s)
			}
		}
	}
	if want.ID != "" && len(all) == 0 {
		r.sink.Notice(fault.Notice{Code: fault.ScriptMissing, Severity: fault.Drop, Lost: 1,
			Message: "loading document failed: no JSON-LD script of the page has the @id " + want.ID,
			Excerpt: fault.Excerpt([]byte(want.ID))})
	}
	return all
}

const jsonLD = "application/ld+json"

func isJSONLD(e *page.Element) bool { return strings.EqualFold(e.MediaType(), jsonLD) }
