package clean

import (
	"encoding/hex"
	"strconv"
	"unicode/utf8"

	"laundromat/rdf"
)

// keeper keeps blank nodes blank, with labels that N-Quads can write and that
// never collide:
//
//	the n-th node without a label     0-n
//	a label that N-Quads can't write  0-x and the hexadecimal digits of its bytes
//	a label of either shape           itself, with one more 0 in front
//	any other label                   itself
//
// Where documents are joined, the KEY and an underscore come before all of these.
//
// A clean file holds labels of these shapes, and keeps its bytes when it is washed again. So in
// N-Triples and N-Quads, which know no nodes without a label, the shapes mean nothing until a
// label comes that N-Quads can't write. From there on such labels have as many zeros as
// no label before had, and a label with as many or more gets one more. Each label so has one
// name from the first line to the last, and no two have the same.
type keeper struct {
	rdf.Sink
	nodes
	joined, anonymous bool
	tally             *Tally

	zeros int // before the x of labels that N-Quads can't write; 0 while no such label has come
	most  int // zeros of a label of that shape so far
}

func newKeeper(options Options, tally *Tally, to rdf.Sink) *keeper {
	k := &keeper{Sink: to, tally: tally, joined: options.JoinedDocuments, anonymous: options.HasAnonymous}
	if k.anonymous {
		k.zeros = 1
	}
	k.name = k.keep
	return k
}

func (k *keeper) Quad(q *rdf.Quad) error {
	k.rename(q)
	return k.Sink.Quad(q)
}

// keep names t in buffer.
func (k *keeper) keep(t *rdf.Term, buffer []byte) []byte {
	label := buffer[:0]
	if k.joined {
		k.tally.Keyed = true
		label = append(label, Key, '_')
	}
	switch {
	case t.Anonymous != 0:
		label = strconv.AppendUint(append(label, "0-"...), t.Anonymous, 10)
	case !isLabel(t.Value):
		if k.zeros == 0 {
			k.zeros = k.most + 1
		}
		for range k.zeros {
			label = append(label, '0')
		}
		label = hex.AppendEncode(append(label, "-x"...), t.Value)
	default:
		if k.isShifted(t.Value) {
			label = append(label, '0')
		}
		label = append(label, t.Value...)
	}
	t.Value, t.Anonymous = label, 0
	return label
}

// isShifted says that a label gets one more 0, since it has the shape of those made here.
func (k *keeper) isShifted(label []byte) bool {
	zeros, hexadecimal := madeUp(label)
	switch {
	case zeros == 0:
		return false
	case !hexadecimal:
		return k.anonymous
	case k.zeros == 0:
		k.most = max(k.most, zeros)
		return false
	}
	return zeros >= k.zeros
}

// madeUp counts the zeros of a label that has the shape of those made here. Those are zeros, a hyphen,
// and decimal digits or an x and hexadecimal ones. Others have none.
func madeUp(label []byte) (zeros int, hexadecimal bool) {
	i := 0
	for i < len(label) && label[i] == '0' {
		i++
	}
	zeros = i
	if i == 0 || i+1 >= len(label) || label[i] != '-' {
		return 0, false
	}
	i++
	hexadecimal = label[i] == 'x'
	if hexadecimal {
		i++
	}
	for ; i < len(label); i++ {
		if !isDigit(label[i]) && !(hexadecimal && 'a' <= label[i] && label[i] <= 'f') {
			return 0, false
		}
	}
	return zeros, hexadecimal
}

// isLabel says that N-Quads can write the label (RDF 1.2, production
// BLANK_NODE_LABEL). N-Quads 1.1 has colons in labels, which 1.2 has no more.
func isLabel(label []byte) bool {
	if len(label) == 0 || label[len(label)-1] == '.' {
		return false
	}
	for i := 0; i < len(label); {
		r, size := rune(label[i]), 1
		if r >= utf8.RuneSelf {
			if r, size = utf8.DecodeRune(label[i:]); r == utf8.RuneError && size == 1 {
				return false
			}
		}
		if !isLabelStart(r) && (i == 0 || !isNameRest(r)) {
			return false
		}
		i += size
	}
	return true
}

// isLabelStart is PN_CHARS_U or a digit.
func isLabelStart(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return isASCIILetter(byte(r)) || isDigit(byte(r)) || r == '_'
	case r == 0xD7 || r == 0xF7:
		return false
	}
	return 0xC0 <= r && r <= 0x2FF || 0x370 <= r && r <= 0x37D || 0x37F <= r && r <= 0x1FFF ||
		r == 0x200C || r == 0x200D || 0x2070 <= r && r <= 0x218F || 0x2C00 <= r && r <= 0x2FEF ||
		0x3001 <= r && r <= 0xD7FF || 0xF900 <= r && r <= 0xFDCF || 0xFDF0 <= r && r <= 0xFFFD ||
		0x10000 <= r && r <= 0xEFFFF
}

// isNameRest says that r may be in labels, but not begin one.
func isNameRest(r rune) bool {
	return r == '-' || r == '.' || r == 0xB7 || 0x300 <= r && r <= 0x36F || r == 0x203F || r == 0x2040
}
