package page

import (
	"strings"
	"unsafe"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
)

// Shared is the tree of a page for several readers, one after another: that of its statements, that of its tables, and
// that of its text. The first of them reads the page, and the others get the same tree, with the same notices.
//
// A page is shared where all would read it by the same rules. One in XHTML is not, for some read it as XML. The tree of
// a broken page is not shared with those who want its texts (see [Texts]): where a tag is missing, they lose nothing.
type Shared struct {
	page     *Page
	texts    *Texts // nil where they have to be read apart
	source   []byte
	measured measured
	notices  []fault.Notice // of the markup
}

// Source is the page, once it is read; else nil.
func (s *Shared) Source() []byte { return s.source }

// Reset forgets the page.
func (s *Shared) Reset() { *s = Shared{} }

// read gives the page to another reader; nil if that has to read it by itself.
func (s *Shared) read(opt *Options, to xmltext.Listener) (*Page, error) {
	if s == nil || s.page == nil || opt.Host > HTML || s.page.Host != HTML || detect(s.source, false) != HTML {
		return nil, nil
	}
	if err := opt.admit(len(s.source), s.page.Need); err != nil {
		return nil, err
	}
	for _, n := range s.notices {
		to.Notice(n)
	}
	return s.page, nil
}

// keep keeps a page that is read.
func (s *Shared) keep(p *Page, found *places, source []byte, m measured, notices []fault.Notice) {
	*s = Shared{source: source, measured: m, notices: notices}
	if p.Host != HTML || len(p.Roots) != 1 || found == nil || found.hasBlock {
		return
	}
	s.page = p
	if b := found.texts; b != nil && b.isSound && found.cut.message == "" && detect(source, false) == HTML {
		s.texts = &Texts{Source: unsafe.String(unsafe.SliceData(source), len(source)), Root: p.Roots[0], Need: m.needTexts(),
			stretch: b.stretches}
	}
}

// textsOf are the texts of a page, if they are shared.
func (s *Shared) textsOf(source []byte, isXML bool) *Texts {
	if s == nil || s.texts == nil || isXML || unsafe.SliceData(source) != unsafe.SliceData(s.source) || len(source) != len(s.source) {
		return nil
	}
	return s.texts
}

// isJSONLD names the scripts that readers of texts ask for.
func isJSONLD(mediaType string) bool { return strings.EqualFold(mediaType, "application/ld+json") }

// heard passes notices on, and keeps them.
type heard struct {
	to  xmltext.Listener
	all []fault.Notice
}

func (h *heard) Notice(n fault.Notice) {
	h.all = append(h.all, n)
	h.to.Notice(n)
}

// HasTexts says that those who want the texts of the page need not read it again.
func (s *Shared) HasTexts() bool { return s.texts != nil }
