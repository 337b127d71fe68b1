package search

import (
	"encoding/binary"
	"errors"
	"slices"

	"laundromat/rdf/statistics"
)

// appendPack writes entries one after another, each as the number of its field and then the number of a term, or else
// the line, the property and the text. All numbers are unsigned varints, and a text comes after its length. A
// property of [statistics.LabelProperties] is its place there, from 1, and another is 0 and its text.
func appendPack(dst []byte, entries []entry) []byte {
	for i := range entries {
		e := &entries[i]
		dst = binary.AppendUvarint(dst, uint64(fields[e.Field]))
		if e.isTerm() {
			dst = binary.AppendUvarint(dst, uint64(e.term))
			continue
		}
		dst = binary.AppendUvarint(dst, uint64(e.Line))
		known := slices.Index(statistics.LabelProperties, e.Property) + 1
		if dst = binary.AppendUvarint(dst, uint64(known)); known == 0 {
			dst = appendText(dst, e.Property)
		}
		dst = appendText(dst, e.Text)
	}
	return dst
}

func appendText(dst []byte, text string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

var errPack = errors.New("a part of the search index is damaged: delete search.db, and it is made again")

// readPack reads what appendPack wrote. Terms have their numbers, and no text.
func readPack(dst []entry, pack []byte) ([]entry, error) {
	for r := (packReader{rest: pack}); len(r.rest) > 0; {
		var e entry
		field := r.number()
		if field >= uint64(len(fieldNames)) {
			return nil, errPack
		}
		if e.Field = fieldNames[field]; e.isTerm() {
			e.term = int64(r.number())
		} else {
			e.Line = int64(r.number())
			switch known := r.number(); {
			case known == 0:
				e.Property = r.text()
			case known <= uint64(len(statistics.LabelProperties)):
				e.Property = statistics.LabelProperties[known-1]
			default:
				return nil, errPack
			}
			e.Text = r.text()
		}
		if r.isBroken {
			return nil, errPack
		}
		dst = append(dst, e)
	}
	return dst, nil
}

// packReader takes numbers and texts off. After the first that isn't whole it is broken, and gives nothing.
type packReader struct {
	rest     []byte
	isBroken bool
}

func (r *packReader) number() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.isBroken, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *packReader) text() string {
	n := r.number()
	if n > uint64(len(r.rest)) {
		r.isBroken, r.rest = true, nil
		return ""
	}
	text := string(r.rest[:n])
	r.rest = r.rest[n:]
	return text
}
