package search

import (
	"encoding/binary"
	"errors"
)

// appendPack writes entries one after another: the number of the field, the line, and the property and the text, each
// after its length (all numbers as unsigned varints). It is compressed as a whole.
func appendPack(dst []byte, entries []entry) []byte {
	for i := range entries {
		e := &entries[i]
		dst = binary.AppendUvarint(dst, uint64(fields[e.Field]))
		dst = binary.AppendUvarint(dst, uint64(e.Line))
		for _, text := range [...]string{e.Property, e.Text} {
			dst = append(binary.AppendUvarint(dst, uint64(len(text))), text...)
		}
	}
	return dst
}

var errPack = errors.New("a part of the search index is damaged: delete search.db, and it is made again")

// readPack reads what appendPack wrote.
func readPack(dst []entry, pack []byte) ([]entry, error) {
	number := func() (n uint64, ok bool) {
		n, size := binary.Uvarint(pack)
		if size <= 0 {
			return 0, false
		}
		pack = pack[size:]
		return n, true
	}
	text := func() (string, bool) {
		n, ok := number()
		if !ok || n > uint64(len(pack)) {
			return "", false
		}
		said := string(pack[:n])
		pack = pack[n:]
		return said, true
	}
	for len(pack) > 0 {
		field, ok := number()
		line, ok2 := number()
		property, ok3 := text()
		said, ok4 := text()
		if !ok || !ok2 || !ok3 || !ok4 || field >= uint64(len(fieldNames)) {
			return nil, errPack
		}
		dst = append(dst, entry{Field: fieldNames[field], Property: property, Text: said, Line: int64(line)})
	}
	return dst, nil
}
