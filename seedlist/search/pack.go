package search

import (
	"encoding/binary"
	"errors"
	"slices"

	"laundromat/rdf/statistics"
)

// appendPack writes entries in columns, since what is alike compresses best side by side: their number and their
// fields, the numbers of terms; then of all others how much the line is above that before, the property, and the
// length of the text; and at last the texts. A property of [statistics.LabelProperties] is its place there, from 1,
// and another is 0 and its text after its length. Differences are signed varints, and other numbers unsigned ones.
func appendPack(dst []byte, entries []entry) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(entries)))
	for i := range entries {
		dst = binary.AppendUvarint(dst, uint64(fields[entries[i].Field]))
	}
	line := int64(0)
	var properties, lengths, texts []byte
	for i := range entries {
		e := &entries[i]
		if e.isTerm() {
			dst = binary.AppendUvarint(dst, uint64(e.term))
		}
	}
	for i := range entries {
		e := &entries[i]
		if e.isTerm() {
			continue
		}
		dst, line = binary.AppendVarint(dst, e.Line-line), e.Line
		known := slices.Index(statistics.LabelProperties, e.Property) + 1
		if properties = binary.AppendUvarint(properties, uint64(known)); known == 0 {
			properties = appendText(properties, e.Property)
		}
		lengths = binary.AppendUvarint(lengths, uint64(len(e.Text)))
		texts = append(texts, e.Text...)
	}
	return slices.Concat(dst, properties, lengths, texts)
}

func appendText(dst []byte, text string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

var errPack = errors.New("a part of the search index is damaged: delete search.db, and it is made again")

// readPack reads what appendPack wrote. Terms have their numbers, and no text.
func readPack(dst []entry, pack []byte) ([]entry, error) {
	r := packReader{rest: pack}
	n := r.number()
	if n > mostEntries {
		return nil, errPack
	}
	from := len(dst)
	dst = slices.Grow(dst, int(n))[:from+int(n)]
	all := dst[from:]
	clear(all)
	for i := range all {
		field := r.number()
		if field >= uint64(len(fieldNames)) {
			return nil, errPack
		}
		all[i].Field = fieldNames[field]
	}
	for i := range all {
		if all[i].isTerm() {
			all[i].term = int64(r.number())
		}
	}
	line := int64(0)
	for i := range all {
		if !all[i].isTerm() {
			line += r.difference()
			all[i].Line = line
		}
	}
	for i := range all {
		if all[i].isTerm() {
			continue
		}
		switch known := r.number(); {
		case known == 0:
			all[i].Property = r.text(r.number())
		case known <= uint64(len(statistics.LabelProperties)):
			all[i].Property = statistics.LabelProperties[known-1]
		default:
			return nil, errPack
		}
	}
	lengths := make([]uint64, len(all))
	for i := range all {
		if !all[i].isTerm() {
			lengths[i] = r.number()
		}
	}
	for i := range all {
		if !all[i].isTerm() {
			all[i].Text = r.text(lengths[i])
		}
	}
	if r.isBroken || len(r.rest) > 0 {
		return nil, errPack
	}
	return dst, nil
}

// packReader takes numbers and texts off. After the first that isn't whole it is broken, and gives nothing.
type packReader struct {
	rest     []byte
	isBroken bool
}

func (r *packReader) number() uint64 { return takeOff(r, binary.Uvarint) }

func (r *packReader) difference() int64 { return takeOff(r, binary.Varint) }

// takeOff takes off a number as it is decoded.
func takeOff[N int64 | uint64](r *packReader, decode func([]byte) (N, int)) N {
	n, size := decode(r.rest)
	if size <= 0 {
		r.isBroken, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

// text is one of so many bytes.
func (r *packReader) text(n uint64) string {
	if n > uint64(len(r.rest)) {
		r.isBroken, r.rest = true, nil
		return ""
	}
	text := string(r.rest[:n])
	r.rest = r.rest[n:]
	return text
}
