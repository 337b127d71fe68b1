package states

import (
	"bytes"

	"laundromat/markup/page"
	"laundromat/states/kind"
)

// Held is a document that is held whole for several products, which are made one after another. The first reading
// decodes it, and that of a page makes its tree; the others read what there is.
//
// What a reading left counts once that came to its end, so that the encoding is proved.
type Held struct {
	page   page.Shared
	text   bytes.Buffer // of what is no page
	isRead bool
}

// IsHeld says that documents of a kind are held whole by several of their products.
func IsHeld(k kind.Kind) bool { return k == kind.HTML || k == kind.RSS10 }

// Reset forgets the document.
func (h *Held) Reset() {
	if h != nil {
		*h = Held{}
	}
}

// finish says that a reading came to its end.
func (h *Held) finish() {
	if h != nil {
		h.isRead = true
	}
}

// source is the document in UTF-8; nil if it has to be decoded.
func (h *Held) source() []byte {
	switch {
	case h == nil || !h.isRead:
		return nil
	case h.page.Source() != nil:
		return h.page.Source()
	}
	return h.text.Bytes()
}

// shared is the page for its readers; nil where nothing is held.
func (h *Held) shared() *page.Shared {
	if h == nil {
		return nil
	}
	return &h.page
}
