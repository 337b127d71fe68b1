package inputs

import (
	"bytes"
	"errors"
	"fmt"
)

// errBlankNodes says that a line has a blank node that kept its label.
var errBlankNodes = errors.New("blank nodes with labels can't be told apart from those of other files: wash it without --blank-nodes keep")

// CheckStatement refuses what is no line of N-Quads, and a blank node where files are joined.
func CheckStatement(joined bool) func(line []byte) error {
	return func(line []byte) error {
		if !bytes.HasSuffix(line, []byte(" .")) || line[0] != '<' && line[0] != '_' {
			return fmt.Errorf("this isn't a statement of N-Quads: %s", bytes.ToValidUTF8(line[:min(len(line), 200)], []byte("\uFFFD")))
		}
		if joined && hasBlankNode(line) {
			return errBlankNodes
		}
		return nil
	}
}

// hasBlankNode says that a canonical line of N-Quads has a blank node as subject, object or graph name.
func hasBlankNode(line []byte) bool {
	mark := []byte("_:")
	if bytes.HasPrefix(line, mark) {
		return true
	}
	_, afterSubject, _ := bytes.Cut(line, []byte{' '})
	_, object, _ := bytes.Cut(afterSubject, []byte{' '})
	if bytes.HasPrefix(object, mark) || bytes.HasPrefix(object, []byte("<<")) && bytes.Contains(object, []byte(" _:")) {
		return true
	}
	object = bytes.TrimSuffix(object, []byte(" ."))
	last := object[bytes.LastIndexByte(object, ' ')+1:]
	return bytes.HasPrefix(last, mark) && bytes.IndexByte(last, '"') < 0
}
