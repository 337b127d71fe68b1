package seedlist

import "encoding/binary"

// FiledChildren stands for children that [Completer.FileChildren] has made seeds. What several calls
// returned is joined by appending. Only the list that gave it can read it.
type FiledChildren []byte

// FiledAs is what a list returns that calls its children by these numbers.
func FiledAs(numbers []uint64) FiledChildren {
	var f FiledChildren
	for _, n := range numbers {
		f = binary.BigEndian.AppendUint64(f, n)
	}
	return f
}

// Numbers are those that FiledAs was given. It is for lists alone.
func (f FiledChildren) Numbers() []uint64 {
	numbers := make([]uint64, 0, len(f)/8)
	for ; len(f) >= 8; f = f[8:] {
		numbers = append(numbers, binary.BigEndian.Uint64(f))
	}
	return numbers
}
