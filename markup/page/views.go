package page

import (
	"bytes"
	"context"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
)

// Tree is a page, of which each reader takes the view that it needs. It is made once from the decoded text, for as
// many readers as want to read the page.
//
//	tree, err := page.NewTree(text, page.Options{MaxMemory: most})
//	p, err := tree.Page(ctx, sink)   // elements with all they hold: statements, tables
//	t, err := tree.Texts(ctx, sink)  // texts that know their places: articles
//	n, err := tree.Nodes(ctx, sink)  // nodes that selectors work on
//
// The views share the text, which nobody may change. Each tells its own listener what is wrong with the page. A Tree
// serves one reader after the other, not several at once.
type Tree struct {
	source []byte
	opt    Options

	page     *Page          // nil until it is asked for
	withData bool           // its scripts of data were taken
	notices  []fault.Notice // on it
}

// NewTree makes a tree of the decoded text of a page. The error is of kind Limit if the page takes more memory than it
// may.
func NewTree(source []byte, opt Options) (*Tree, error) {
	opt.applyDefaults()
	if err := opt.admit(source); err != nil {
		return nil, err
	}
	return &Tree{source: source, opt: opt}, nil
}

// Source is the text of the page.
func (t *Tree) Source() []byte { return t.source }

// Page is the page as elements with all that they hold. Elements know the place of their own tag. isData is that of
// Options; nil for a reader that asks for no scripts. It is the same for all others, and all have one page.
func (t *Tree) Page(ctx context.Context, isData func(mediaType string) bool, to xmltext.Listener) (*Page, error) {
	if t.page == nil || isData != nil && !t.withData {
		opt := t.opt
		opt.IsData, opt.Places = isData, true
		var found noticed
		p, err := Read(ctx, bytes.NewReader(t.source), opt, &found)
		if err != nil {
			return nil, err
		}
		t.page, t.withData, t.notices = p, isData != nil, found
	}
	for i := range t.notices {
		to.Notice(t.notices[i])
	}
	return t.page, nil
}

// noticed keeps notices.
type noticed []fault.Notice

func (n *noticed) Notice(one fault.Notice) { *n = append(*n, one) }

// Texts is the page as texts that know their places. XHTML is read by its own rules for empty elements and sections of
// CDATA whatever it was served as.
func (t *Tree) Texts(ctx context.Context, isData func(mediaType string) bool, to xmltext.Listener) (*Texts, error) {
	opt := t.opt
	opt.IsData = isData
	if opt.Host == HTML {
		opt.Host = Detect
	}
	return ReadTexts(ctx, t.source, opt, to)
}

// Nodes is the page as the nodes of the HTML parser.
func (t *Tree) Nodes(ctx context.Context, to xmltext.Listener) (*Nodes, error) {
	return ReadNodes(ctx, t.source, t.opt, to)
}

// Need estimates how many bytes of memory a page takes, with what is made of its elements. It looks at the text once,
// and makes no tree.
func Need(source []byte) int64 { return need(source) }
