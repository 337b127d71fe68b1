package fetch

import "strings"

// spelled is a path with its query, or a part of a pattern, as the two are compared: octet by octet.
type spelled struct {
	octets string // none percent-encoded
	marks  string // of each octet: free, written or encoded
}

// The marks of an octet. "/" and "%2F" differ where "/" divides, which is in a path. In a query they
// are one: RFC 9309 §2.2.2 has an example. So an octet of a path or query is free if it
// does not divide there. A part of a pattern may be met in either, and keeps how it was written.
const (
	free = iota
	written
	encoded
)

// spell decodes what normalPath made. Of the octets before the first "?", and of that, those
// in inPath are marked; behind it those in inQuery.
func spell(normal, inPath, inQuery string) spelled {
	octets, marks := make([]byte, 0, len(normal)), make([]byte, 0, len(normal))
	divides := inPath
	for i := 0; i < len(normal); i++ {
		c, mark := normal[i], byte(written)
		if c == '%' && i+2 < len(normal) {
			c, mark = unhex(normal[i+1])<<4|unhex(normal[i+2]), encoded
			i += 2
		}
		if strings.IndexByte(divides, c) < 0 {
			octets, marks = append(octets, c), append(marks, free)
			continue
		}
		octets, marks = append(octets, c), append(marks, mark)
		if c == '?' && mark == written {
			divides = inQuery
		}
	}
	return spelled{string(octets), string(marks)}
}

func (s spelled) from(i int) spelled { return spelled{s.octets[i:], s.marks[i:]} }

// has says whether a part stands at a place.
func (s spelled) has(part spelled, at int) bool {
	if at < 0 || !strings.HasPrefix(s.octets[at:], part.octets) {
		return false
	}
	for i := range len(part.marks) {
		if a, b := s.marks[at+i], part.marks[i]; a != b && a != free && b != free {
			return false
		}
	}
	return true
}

// index is where a part stands first; -1 if nowhere.
func (s spelled) index(part spelled) int {
	for at := 0; ; at++ {
		i := strings.Index(s.octets[at:], part.octets)
		if i < 0 {
			return -1
		}
		if at += i; s.has(part, at) {
			return at
		}
		if at == len(s.octets) {
			return -1
		}
	}
}
