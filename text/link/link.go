// Package link completes the links of an article. Those of the page are resolved, and the URLs that stand in the text
// without being links are found.
package link

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"laundromat/internal/rfc3986"
	"laundromat/text"
)

// Complete resolves the links of an article against a base, and adds the bare URLs of its text. The links of the title
// come first, then the others in the order of the text. What names no document, as javascript: does, is left out.
// Without a base, references stay as they are.
func Complete(a *text.Article, base string) {
	links := a.Links[:0]
	for _, l := range a.Links {
		if url, ok := Resolve(base, l.URL); ok {
			l.URL = url
			links = append(links, l)
		}
	}
	a.Links = bare(a.Text, links)
	slices.SortStableFunc(a.Links, func(x, y text.Link) int {
		switch {
		case x.InTitle != y.InTitle:
			if x.InTitle {
				return -1
			}
			return 1
		case x.InTitle:
			return 0
		}
		return x.Start - y.Start
	})
}

// OfTitle are the URLs that stand in a title. They have no places.
func OfTitle(title string) []text.Link {
	links := bare(title, nil)
	for i := range links {
		links[i] = text.Link{URL: links[i].URL, InTitle: true}
	}
	return links
}

// noDocument are the schemes of references that name no document.
var noDocument = []string{"javascript:", "vbscript:", "about:", "data:", "blob:"}

// Resolve is the URL that a reference of a page means, as browsers read it. It has no white space around it, and no
// line ends and tabs in it. What no URL may hold is percent-encoded. Not ok for what names no document.
func Resolve(base, reference string) (url string, ok bool) {
	reference = clean(reference)
	lower := strings.ToLower(reference[:min(len(reference), 12)])
	for _, scheme := range noDocument {
		if strings.HasPrefix(lower, scheme) {
			return "", false
		}
	}
	if rfc3986.IsAbsolute([]byte(reference)) && !isOdd(lower) || base == "" {
		return reference, reference != ""
	}
	if isOdd(lower) {
		reference = reference[strings.IndexByte(reference, ':')+1:]
	}
	return string(rfc3986.AppendResolved(nil, []byte(base), []byte(reference))), true
}

// isOdd says that a reference has the scheme of the web but no host, which browsers read as relative.
func isOdd(lower string) bool {
	for _, scheme := range []string{"http:", "https:"} {
		if strings.HasPrefix(lower, scheme) && !strings.HasPrefix(lower, scheme+"/") && !strings.HasPrefix(lower, scheme+"\\") {
			return true
		}
	}
	return false
}

// clean takes out what browsers pass over, and encodes what no URL may hold.
func clean(s string) string {
	if isClean(s) {
		return s
	}
	s = strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
	if strings.IndexFunc(s, isForbidden) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
		case isForbidden(r):
			for _, c := range []byte(string(r)) {
				b.WriteByte('%')
				b.WriteByte("0123456789ABCDEF"[c>>4])
				b.WriteByte("0123456789ABCDEF"[c&15])
			}
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// mayStand are the bytes that each URL may hold.
var mayStand = func() (may [256]bool) {
	for c := range utf8.RuneSelf {
		may[c] = !isForbidden(rune(c))
	}
	return may
}()

// isClean says that a URL is of ASCII alone, and holds nothing that none may.
func isClean(s string) bool {
	for i := 0; i < len(s); i++ {
		if !mayStand[s[i]] {
			return false
		}
	}
	return true
}

// isForbidden are the characters that no URL or IRI may hold: controls, spaces, quotes, brackets, marks of direction.
func isForbidden(r rune) bool {
	switch {
	case r <= ' ' || r == '"' || r == '<' || r == '>' || r == '`' || r == '{' || r == '}' || r == '|' || r == '\\' || r == '^':
		return true
	case r < utf8.RuneSelf:
		return r == 0x7F
	}
	return r < 0xA0 || unicode.IsSpace(r) || unicode.Is(unicode.Bidi_Control, r) || r == utf8.RuneError
}

// bare adds the URLs that stand in a text, but not within links that are there. The links must be in the order of
// the text.
func bare(s string, links []text.Link) []text.Link {
	known := links
	next := 0
	for at := 0; at < len(s); {
		start, scheme := begins(s, at)
		if start < 0 {
			break
		}
		end := urlEnd(s, start, start+len(scheme))
		if end == 0 {
			at = start + len(scheme)
			continue
		}
		for next < len(known) && (known[next].InTitle || known[next].End <= start) {
			next++
		}
		if next == len(known) || known[next].Start >= end {
			url := s[start:end]
			if strings.HasPrefix(scheme, "w") || strings.HasPrefix(scheme, "W") {
				url = "http://" + url
			}
			links = append(links, text.Link{Span: text.Span{Start: start, End: end}, URL: clean(url)})
		}
		at = end
	}
	return links
}

// schemes are what a bare URL begins with.
var schemes = []string{"http://", "https://", "ftp://", "ftps://", "www."}

// begins finds where the next URL may begin, and with what; -1 if nowhere.
func begins(s string, from int) (start int, scheme string) {
	for i := from; i < len(s); i++ {
		// All of them have :// or www. in them, which is rarer than their letters.
		n := strings.IndexAny(s[i:], ":wW")
		if n < 0 {
			return -1, ""
		}
		i += n
		if s[i] == ':' {
			if !strings.HasPrefix(s[i:], "://") {
				continue
			}
			for _, scheme := range schemes[:4] {
				k := i - (len(scheme) - len("://"))
				if k >= from && strings.EqualFold(s[k:i], scheme[:len(scheme)-3]) && standsFree(s, k) {
					return k, s[k : i+3]
				}
			}
			continue
		}
		if len(s) > i+4 && strings.EqualFold(s[i:i+4], "www.") && standsFree(s, i) {
			return i, s[i : i+4]
		}
	}
	return -1, ""
}

// standsFree says that no word or address goes on at i.
func standsFree(s string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	if i == 0 {
		return true
	}
	return !(r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r))) && r != '@' && r != '.' && r != '-' && r != '_' &&
		r != '/' && r != '=' &&
		(r < utf8.RuneSelf || !unicode.IsLetter(r) || isUnspaced(r))
}

// isUnspaced are the letters of scripts that put no space around a URL.
func isUnspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar, unicode.Bopomofo)
}

// urlEnd is where the URL ends whose host begins at host; 0 if it is none.
func urlEnd(s string, start, host int) int {
	end := host
	for end < len(s) {
		r, n := utf8.DecodeRuneInString(s[end:])
		if !isPart(r) || r == utf8.RuneError && n <= 1 {
			break
		}
		end += n
	}
	end = host + trim(s[host:end])
	authority := s[host:end]
	if i := strings.IndexAny(authority, "/?#"); i >= 0 {
		authority = authority[:i]
	}
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		authority = authority[i+1:]
	}
	name, _, hasPort := strings.Cut(authority, ":")
	if strings.HasPrefix(authority, "[") {
		name = authority
	}
	dots, ok := hostDots(name)
	isWWW := host-start == len("www.")
	if !ok || dots == 0 && (isWWW || !hasPort && name[0] != '[' && !strings.EqualFold(name, "localhost")) {
		return 0
	}
	return end
}

// hostDots counts the dots of a host; not ok if it is none.
func hostDots(name string) (dots int, ok bool) {
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '.':
			dots++
			if i == 0 || name[i-1] == '.' {
				return 0, false
			}
		case c >= utf8.RuneSelf || isLetter(c) || '0' <= c && c <= '9' || strings.IndexByte("-_[]:", c) >= 0:
		default:
			return 0, false
		}
	}
	return dots, name != ""
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isPart says that a character may be part of a URL in a text.
func isPart(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && r != 0x7F && !strings.ContainsRune("<>\"`{}|\\^", r)
	}
	return (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)) && !isUnspaced(r)
}

// trim is the length of a URL without the signs behind it that belong to the sentence. A bracket is part of it where
// it closes one that it has.
func trim(s string) int {
	opened := [3]int{strings.Count(s, "(") - strings.Count(s, ")"), strings.Count(s, "[") - strings.Count(s, "]"), 0}
	n := len(s)
	for n > 0 {
		switch c := s[n-1]; {
		case strings.IndexByte(".,;:!?'*_~&", c) >= 0:
			n--
		case c == ')' && opened[0] < 0:
			opened[0]++
			n--
		case c == ']' && opened[1] < 0:
			opened[1]++
			n--
		case c == '(' || c == '[':
			n--
		default:
			return n
		}
	}
	return n
}
