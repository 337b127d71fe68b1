package archive

import (
	"unicode/utf8"

	"laundromat/encoding"
)

// zipNames reads names of a zip that are not UTF-8. A zip says nothing of their encoding,
// except that it should be code page 437 (APPNOTE.TXT, appendix D). Most writers use the
// code page of their own system.
type zipNames struct {
	sample []string // those that the choice is made by
	size   int
	decode func(string) (string, bool)
}

const (
	maxZipNames  = 8 << 10 // bytes of names that are weighed
	maxWeighings = 1000    // in one file, with all that lies in it: each takes some milliseconds
	fewNames     = 256     // bytes of names up to which each new one is weighed with those before
)

// readName finds the text of an entry's name that is not UTF-8. The function all gives the
// entries of the zip for as long as it is asked; it is nil if they are not known yet.
func (w *walk) readName(e *zipEntry, all func(add func(zipEntry) bool)) {
	if e.text != "" || utf8.ValidString(e.name) {
		return
	}
	n := &w.names
	add := func(e zipEntry) bool {
		if !utf8.ValidString(e.name) && n.size < maxZipNames {
			n.sample = append(n.sample, e.name)
			n.size += len(e.name)
		}
		return n.size < maxZipNames
	}
	if (n.decode == nil || all == nil && n.size < fewNames) && w.o.limits.spent.weighed.Add(1) <= maxWeighings {
		if all != nil {
			all(add)
		} else {
			add(*e)
		}
		n.decode = encoding.FileNames(n.sample)
	}
	if n.decode == nil {
		return
	}
	if text, ok := n.decode(e.name); ok {
		e.text = text
	}
}

func (e *zipEntry) label() string {
	if e.text != "" {
		return e.text
	}
	return e.name
}
