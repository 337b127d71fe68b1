package archive

import (
	"fmt"
	"net/textproto"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Entry is one regular file in a container.
type Entry struct {
	Name string // as stored, which may be no UTF-8 and no safe path
	// the name as people read it, where it is no UTF-8 and its encoding was found, or both are
	// there; else ""
	Text    string
	Number  int       // this is the nth entry of that name, from 1
	ModTime time.Time // zero if unknown
	Size    int64     // as declared, in bytes; -1 if unknown. It may be wrong

	// URI is where a page that a crawler stored came from: the base of what it says.
	// "" for all else.
	URI string
	// ContentType is what the container says of the entry; "" if it says nothing.
	ContentType string
	// Reply is how a server sent it; nil if that was not stored.
	Reply *Reply
}

// Reply is the head of a reply of HTTP.
type Reply struct {
	Status       int
	Major, Minor int // version of HTTP
	Time         time.Time
	Headers      textproto.MIMEHeader
}

// Shown is the name as people may see it: one line of valid UTF-8, where other
// bytes and control characters are as \xHH and \uHHHH. It distinguishes entries of the
// same name by their number.
func (e Entry) Shown() string {
	var b strings.Builder
	name := e.label()
	for i := 0; i < len(name); {
		r, size := utf8.DecodeRuneInString(name[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02X`, name[i])
		case !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteString(name[i : i+size])
		}
		i += size
	}
	if e.Number > 1 {
		fmt.Fprintf(&b, " (%d)", e.Number)
	}
	return b.String()
}

// label is the name for messages.
func (e *Entry) label() string {
	if e.Text != "" {
		return e.Text
	}
	return e.Name
}

// unsafeName says whether a name would be dangerous to write a file under, on any system.
func unsafeName(name string) bool {
	if strings.ContainsAny(name, "\\\x00") || strings.HasPrefix(name, "/") {
		return true
	}
	if len(name) >= 2 && name[1] == ':' && (name[0]|0x20 >= 'a' && name[0]|0x20 <= 'z') {
		return true
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return true
		}
	}
	return false
}

// isText says whether a name is printable UTF-8, as most are.
func isText(name string) bool {
	for _, r := range name {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// InnerName is the name without the endings that belong to the filters of o: data.ttl for
// data.ttl.gz. The ending that is left is then of use.
func (o *Opened) InnerName(name string) string {
	for _, f := range o.opens {
		name = trimSuffix(name, f.suffixes)
	}
	return name
}
