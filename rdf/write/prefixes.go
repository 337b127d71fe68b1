package write

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"laundromat/internal/rfc3986"
)

// Prefixes are names for the beginnings of IRIs. They may be added and used on several goroutines at once. The
// zero value has none.
type Prefixes struct {
	mu     sync.Mutex
	all    []named
	names  map[string]bool
	iris   map[string]bool
	length atomic.Int64 // of all
}

type named struct{ name, iri string }

// MostPrefixes is how many prefixes are kept at most. What comes later is left out.
const MostPrefixes = 1000

// longestPrefix is the longest IRI that is given a name, in bytes.
const longestPrefix = 1024

// Set adds a prefix that somebody asks for, and says why it can't be had.
func (p *Prefixes) Set(name, iri string) error {
	switch {
	case !isPrefixName(name):
		return fmt.Errorf("%q isn't a name that a prefix may have", name)
	case !isNamespace(iri):
		return fmt.Errorf("%q isn't an absolute IRI", iri)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.names[name] {
		return fmt.Errorf("the prefix %q is given twice", name)
	}
	if p.iris[iri] {
		return fmt.Errorf("<%s> is given two names", iri)
	}
	p.add(name, iri)
	return nil
}

// Add adds a prefix that a document declares. It is left out where the name or the IRI has come already, or
// can't be written: nothing is lost by it.
func (p *Prefixes) Add(name, iri []byte) {
	if p.length.Load() >= MostPrefixes || len(iri) > longestPrefix {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.names[string(name)] || p.iris[string(iri)] || !isPrefixName(string(name)) || !isNamespace(string(iri)) {
		return
	}
	p.add(string(name), string(iri))
}

func (p *Prefixes) add(name, iri string) {
	if p.names == nil {
		p.names, p.iris = map[string]bool{}, map[string]bool{}
	}
	p.names[name], p.iris[iri] = true, true
	p.all = append(p.all, named{name, iri})
	p.length.Store(int64(len(p.all)))
}

// since are the prefixes from the n-th on.
func (p *Prefixes) since(n int) []named {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.all[n:])
}

// isPrefixName says that Turtle allows a name for a prefix (PN_PREFIX, or nothing).
func isPrefixName(name string) bool {
	for i, r := range name {
		switch {
		case r == utf8.RuneError, i == 0 && !isNameStart(r), !isNameRune(r) && (r != '.' || i == len(name)-1):
			return false
		}
	}
	return len(name) <= longestPrefix
}

// isNamespace says that an IRI can stand in a declaration, and that every reader finds it the same there. So it
// is absolute, and has no segments that are resolved.
func isNamespace(iri string) bool {
	for i := 0; i < len(iri); i++ {
		if c := iri[i]; c <= ' ' || c == 0x7F || strings.IndexByte("<>\"{}|^`\\", c) >= 0 {
			return false
		}
	}
	return utf8.ValidString(iri) && rfc3986.IsAbsolute([]byte(iri)) && !strings.Contains(iri, "/.")
}

// isNameStart is PN_CHARS_BASE.
func isNameStart(r rune) bool {
	switch {
	case r < 0x80:
		return r|0x20 >= 'a' && r|0x20 <= 'z'
	case r < 0x300:
		return r >= 0xC0 && r != 0xD7 && r != 0xF7
	}
	return r >= 0x370 && r <= 0x37D || r >= 0x37F && r <= 0x1FFF || r >= 0x200C && r <= 0x200D || r >= 0x2070 && r <= 0x218F ||
		r >= 0x2C00 && r <= 0x2FEF || r >= 0x3001 && r <= 0xD7FF || r >= 0xF900 && r <= 0xFDCF || r >= 0xFDF0 && r <= 0xFFFD ||
		r >= 0x10000 && r <= 0xEFFFF
}

// isNameRune is PN_CHARS.
func isNameRune(r rune) bool {
	return isNameStart(r) || r == '_' || r == '-' || r >= '0' && r <= '9' || r == 0xB7 || r >= 0x300 && r <= 0x36F || r == 0x203F ||
		r == 0x2040
}

// isLocal says that what is left of an IRI can be written behind a prefix as it is (PN_LOCAL).
func isLocal(local []byte) bool {
	if len(local) == 0 {
		return true
	}
	if c := local[0]; c == '-' || c == '.' || local[len(local)-1] == '.' {
		return false
	}
	for i := 0; i < len(local); {
		c := local[i]
		switch {
		case localByte[c]:
			i++
		case c == '%':
			if i+2 >= len(local) || !isHex(local[i+1]) || !isHex(local[i+2]) {
				return false
			}
			i += 3
		case c < utf8.RuneSelf:
			return false
		default:
			r, size := utf8.DecodeRune(local[i:])
			if !isNameRune(r) || i == 0 && !isNameStart(r) || r == utf8.RuneError {
				return false
			}
			i += size
		}
	}
	return true
}

// localByte are the signs of ASCII that a local name may hold anywhere but at its ends.
var localByte = func() (t [256]bool) {
	for c := range t {
		t[c] = c < utf8.RuneSelf && isNameRune(rune(c)) || c == ':' || c == '.'
	}
	return t
}()

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

// table finds the prefix of an IRI: the longest one.
type table struct {
	from  *Prefixes
	taken int     // of those
	all   []entry // by IRI
}

type entry struct {
	named
	parent   int // the longest that this one begins with; -1 if there is none
	isParent bool
}

// slot is the prefix that was found last in a place where the same tends to come again.
type slot struct{ last *entry }

func newTable(from *Prefixes) *table {
	if from == nil {
		from = &Prefixes{}
	}
	return &table{from: from}
}

// isStale says that prefixes have come that are not in the table yet.
func (t *table) isStale() bool { return int(t.from.length.Load()) > t.taken }

// renew takes the prefixes in that have come, and returns them in the order of their names.
func (t *table) renew() []named {
	fresh := t.from.since(t.taken)
	t.taken += len(fresh)
	for _, n := range fresh {
		t.all = append(t.all, entry{named: n})
	}
	slices.SortFunc(t.all, func(a, b entry) int { return strings.Compare(a.iri, b.iri) })
	for i := range t.all {
		t.all[i].parent, t.all[i].isParent = -1, false
		for p := i - 1; p >= 0; p = t.all[p].parent {
			if strings.HasPrefix(t.all[i].iri, t.all[p].iri) {
				t.all[i].parent, t.all[p].isParent = p, true
				break
			}
		}
	}
	slices.SortFunc(fresh, func(a, b named) int { return strings.Compare(a.name, b.name) })
	return fresh
}

// split takes an IRI apart into the name of a prefix and a local name, if it can be written so.
func (t *table) split(iri []byte, last *slot) (name string, local []byte, ok bool) {
	e := last.last
	if e == nil || e.isParent || !hasPrefix(iri, e.iri) {
		if e = t.longest(iri); e == nil {
			return "", nil, false
		}
		last.last = e
	}
	local = iri[len(e.iri):]
	return e.name, local, isLocal(local)
}

// longest is the longest prefix of an IRI; nil if there is none.
func (t *table) longest(iri []byte) *entry {
	low, high := 0, len(t.all) // the first that is greater than the IRI
	for low < high {
		if middle := (low + high) / 2; t.all[middle].iri > string(iri) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	// Whatever stands between a prefix of the IRI and the IRI itself begins with that prefix.
	for i := low - 1; i >= 0; i = t.all[i].parent {
		if hasPrefix(iri, t.all[i].iri) {
			return &t.all[i]
		}
	}
	return nil
}

func hasPrefix(iri []byte, prefix string) bool {
	return len(iri) >= len(prefix) && string(iri[:len(prefix)]) == prefix
}
