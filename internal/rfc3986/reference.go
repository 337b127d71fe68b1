// Package rfc3986 takes references apart, puts them together and resolves them
// (RFC 3986). IRIs are handled as URIs are: RFC 3987 changes only which characters
// may be in them, not how they are taken apart.
//
//	c := rfc3986.Split([]byte("http://e/a?b")) // c.Path is "/a"
package rfc3986

import (
	"bytes"
	"strings"
)

// Components of an IRI reference (RFC 3986 §3, by the expression of appendix B).
// The Has fields distinguish an empty component from an absent one.
type Components struct {
	Scheme, Authority, Path, Query, Fragment       []byte
	HasScheme, HasAuthority, HasQuery, HasFragment bool
}

// Split takes an IRI reference apart. It never fails: what has no scheme that RFC
// 3986 §3.1 allows is a relative reference. The parts are slices of ref.
func Split(ref []byte) (c Components) {
	if n := SchemeLength(ref); n > 0 {
		c.Scheme, c.HasScheme = ref[:n], true
		ref = ref[n+1:]
	}
	if i := bytes.IndexByte(ref, '#'); i >= 0 {
		c.Fragment, c.HasFragment = ref[i+1:], true
		ref = ref[:i]
	}
	if i := bytes.IndexByte(ref, '?'); i >= 0 {
		c.Query, c.HasQuery = ref[i+1:], true
		ref = ref[:i]
	}
	if len(ref) >= 2 && ref[0] == '/' && ref[1] == '/' {
		ref = ref[2:]
		end := bytes.IndexByte(ref, '/')
		if end < 0 {
			end = len(ref)
		}
		c.Authority, c.HasAuthority = ref[:end], true
		ref = ref[end:]
	}
	c.Path = ref
	return c
}

// SchemeLength is the length of the scheme that ref begins with, without the
// colon; 0 if ref is a relative reference.
func SchemeLength(ref []byte) int {
	for i, b := range ref {
		switch {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z':
		case i > 0 && ('0' <= b && b <= '9' || b == '+' || b == '-' || b == '.'):
		case i > 0 && b == ':':
			return i
		default:
			return 0
		}
	}
	return 0
}

// IsAbsolute says that ref has a scheme, so that no base is needed.
func IsAbsolute(ref []byte) bool { return SchemeLength(ref) > 0 }

// Append puts the components together again (RFC 3986 §5.3).
func (c *Components) Append(dst []byte) []byte {
	if c.HasScheme {
		dst = append(append(dst, c.Scheme...), ':')
	}
	if c.HasAuthority {
		dst = append(append(dst, "//"...), c.Authority...)
	}
	dst = append(dst, c.Path...)
	if c.HasQuery {
		dst = append(append(dst, '?'), c.Query...)
	}
	if c.HasFragment {
		dst = append(append(dst, '#'), c.Fragment...)
	}
	return dst
}

// AppendResolved appends the IRI that ref means against base (RFC 3986 §5.2.2, strict), dot
// segments removed. The IRI base must be absolute. An absolute ref ignores it, but its dot
// segments are removed too.
func AppendResolved(dst, base, ref []byte) []byte {
	r := Split(ref)
	if r.HasScheme {
		r.Path = RemoveDotSegments(r.Path)
		return r.Append(dst)
	}
	b := Split(base)
	t := Components{Scheme: b.Scheme, HasScheme: b.HasScheme, Fragment: r.Fragment, HasFragment: r.HasFragment}
	switch {
	case r.HasAuthority:
		t.Authority, t.HasAuthority = r.Authority, true
		t.Path, t.Query, t.HasQuery = RemoveDotSegments(r.Path), r.Query, r.HasQuery
		return t.Append(dst)
	case len(r.Path) == 0:
		t.Path, t.Query, t.HasQuery = b.Path, b.Query, b.HasQuery
		if r.HasQuery {
			t.Query, t.HasQuery = r.Query, true
		}
	case r.Path[0] == '/':
		t.Path, t.Query, t.HasQuery = RemoveDotSegments(r.Path), r.Query, r.HasQuery
	default:
		t.Path, t.Query, t.HasQuery = RemoveDotSegments(mergePaths(&b, r.Path)), r.Query, r.HasQuery
	}
	t.Authority, t.HasAuthority = b.Authority, b.HasAuthority
	return t.Append(dst)
}

// mergePaths is RFC 3986 §5.2.3.
func mergePaths(base *Components, path []byte) []byte {
	if base.HasAuthority && len(base.Path) == 0 {
		return append([]byte("/"), path...)
	}
	end := bytes.LastIndexByte(base.Path, '/') + 1
	merged := make([]byte, 0, end+len(path))
	return append(append(merged, base.Path[:end]...), path...)
}

// RemoveDotSegments is RFC 3986 §5.2.4. A path without dot segments is returned
// as it is; the result never aliases path in another way.
func RemoveDotSegments(path []byte) []byte {
	if !hasDotSegment(path) {
		return path
	}
	in, out := path, make([]byte, 0, len(path))
	for len(in) > 0 {
		switch {
		case bytes.HasPrefix(in, []byte("../")):
			in = in[3:]
		case bytes.HasPrefix(in, []byte("./")):
			in = in[2:]
		case bytes.HasPrefix(in, []byte("/./")):
			in = in[2:]
		case string(in) == "/.":
			in = []byte("/")
		case bytes.HasPrefix(in, []byte("/../")):
			in, out = in[3:], cutLastSegment(out)
		case string(in) == "/..":
			in, out = []byte("/"), cutLastSegment(out)
		case string(in) == "." || string(in) == "..":
			in = nil
		default:
			end := bytes.IndexByte(in[1:], '/') + 1
			if end == 0 {
				end = len(in)
			}
			out, in = append(out, in[:end]...), in[end:]
		}
	}
	return out
}

func cutLastSegment(out []byte) []byte {
	if i := bytes.LastIndexByte(out, '/'); i >= 0 {
		return out[:i]
	}
	return out[:0]
}

func hasDotSegment(path []byte) bool {
	for len(path) > 0 {
		segment := path
		if i := bytes.IndexByte(path, '/'); i >= 0 {
			segment, path = path[:i], path[i+1:]
		} else {
			path = nil
		}
		if string(segment) == "." || string(segment) == ".." {
			return true
		}
	}
	return false
}

// MaskUserinfo replaces the userinfo of every URI within a text by ***, since it may be a password or
// a token (RFC 3986 §3.2.1).
func MaskUserinfo(text string) string {
	var shown strings.Builder
	for {
		before, rest, found := strings.Cut(text, "//")
		shown.WriteString(before)
		if !found {
			return shown.String()
		}
		shown.WriteString("//")
		end := strings.IndexAny(rest, "/?# \t\r\n\"<>")
		if end < 0 {
			end = len(rest)
		}
		if at := strings.LastIndexByte(rest[:end], '@'); at >= 0 {
			shown.WriteString("***")
			rest, end = rest[at:], end-at
		}
		shown.WriteString(rest[:end])
		text = rest[end:]
	}
}
