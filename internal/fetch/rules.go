package fetch

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// ruleSet is what a robots.txt says to one agent (RFC 9309 §2.2).
type ruleSet struct {
	rules []pathRule
	delay time.Duration // Crawl-delay, which is no part of the RFC
}

// pathRule allows or forbids the paths that a pattern matches.
type pathRule struct {
	allow   bool
	parts   []spelled // what is between the wildcards
	ends    bool      // the pattern ends in $: nothing may follow
	octets  int       // of the pattern: the longest that matches decides
	pattern string
}

// parseRules reads the groups that hold for an agent: those of its name together, or else
// those of *. A line that is no rule costs itself alone, and only a rule ends the names of a
// group (RFC 9309 §2.2.4). A delay, which is no rule, is that of the names before it.
func parseRules(body []byte, agent string) *ruleSet {
	var ours, others ruleSet
	var named, forUs, forAll, inRules bool
	for line := range bytes.FieldsFuncSeq(plainText(body), func(r rune) bool { return r == '\n' || r == '\r' }) {
		name, value := ruleLine(line)
		switch name {
		case "user-agent":
			if inRules {
				forUs, forAll, inRules = false, false, false
			}
			product := productToken(value)
			forAll = forAll || product == "*"
			forUs = forUs || product != "" && strings.EqualFold(product, agent)
			named = named || forUs
			continue
		case "":
			continue
		case "allow", "disallow":
			inRules = true
		}
		for _, group := range []struct {
			set  *ruleSet
			mine bool
		}{{&ours, forUs}, {&others, forAll}} {
			if group.mine {
				group.set.add(name, value)
			}
		}
	}
	if named {
		return &ours
	}
	return &others
}

// productToken is the name at the head of a User-agent line, or of what we call ourselves:
// letters, "-" and "_", or a single "*" (RFC 9309 §2.2.1). A version or another name may follow.
func productToken(text string) string {
	n := strings.IndexFunc(text, func(r rune) bool { return !isLetter(r) })
	switch {
	case n < 0:
		return text
	case n > 0:
		return text[:n]
	}
	if rest, found := strings.CutPrefix(text, "*"); found && (rest == "" || !isLetter(rune(rest[0])) && rest[0] != '*') {
		return "*"
	}
	return ""
}

func isLetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' || r == '-' || r == '_' }

// plainText is a robots.txt without its byte order mark, and in UTF-8 where that says UTF-16.
func plainText(body []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(body, []byte("\xEF\xBB\xBF")):
		return body[3:]
	case bytes.HasPrefix(body, []byte("\xFF\xFE")):
		order = binary.LittleEndian
	case bytes.HasPrefix(body, []byte("\xFE\xFF")):
		order = binary.BigEndian
	default:
		return body
	}
	units := make([]uint16, len(body)/2-1)
	for i := range units {
		units[i] = order.Uint16(body[2+2*i:])
	}
	return []byte(string(utf16.Decode(units)))
}

// ruleNames are the names of lines as they are written, with the slips that Google's
// parser takes for what they mean, too.
var ruleNames = map[string]string{
	"user-agent": "user-agent", "useragent": "user-agent", "user agent": "user-agent",
	"allow": "allow", "crawl-delay": "crawl-delay",
	"disallow": "disallow", "dissallow": "disallow", "dissalow": "disallow", "disalow": "disallow",
	"diasllow": "disallow", "disallaw": "disallow",
}

// ruleLine splits a line into its name, "" if it is none of ours, and its value.
func ruleLine(line []byte) (name, value string) {
	text, _, _ := strings.Cut(string(line), "#")
	before, after, found := strings.Cut(text, ":")
	if !found { // "Disallow /x", of exactly two words
		words := strings.Fields(text)
		if len(words) != 2 {
			return "", ""
		}
		before, after = words[0], words[1]
	}
	return ruleNames[strings.ToLower(strings.TrimSpace(before))], strings.TrimSpace(after)
}

// add adds a line of a group. One whose octets are no UTF-8 was most likely written in
// Latin-1, and the server may have it either way: it counts as both.
func (s *ruleSet) add(name, value string) {
	if name == "crawl-delay" {
		seconds, err := strconv.ParseFloat(value, 64)
		if err == nil && seconds >= 0 && seconds < 1e6 {
			s.delay = time.Duration(seconds * float64(time.Second))
		}
		return
	}
	if value == "" {
		return // nothing is allowed or forbidden by it
	}
	s.rules = append(s.rules, newPathRule(name == "allow", value))
	if !utf8.ValidString(value) {
		var latin strings.Builder
		for i := range len(value) {
			latin.WriteRune(rune(value[i]))
		}
		s.rules = append(s.rules, newPathRule(name == "allow", latin.String()))
	}
}

func newPathRule(allow bool, value string) pathRule {
	for _, scheme := range []string{"http://", "https://"} {
		if len(value) > len(scheme) && strings.EqualFold(value[:len(scheme)], scheme) {
			rest := value[len(scheme):]
			value = "/"
			if i := strings.IndexByte(rest, '/'); i >= 0 {
				value = rest[i:]
			}
		}
	}
	if value[0] != '/' && value[0] != '*' {
		value = "/" + value
	}
	pattern, ends := strings.CutSuffix(value, "$")
	pattern = normalPath(pattern, true, ends)
	r := pathRule{allow: allow, ends: ends, octets: len(pattern), pattern: pattern}
	for part := range strings.SplitSeq(pattern, "*") {
		r.parts = append(r.parts, spell(part, dividers, dividers))
	}
	if ends {
		r.octets++
	}
	return r
}

// allows says what the longest pattern that matches a path says; of two as long, the one
// that allows (RFC 9309 §2.2.2). Many servers take "//" for "/": what either forbids is forbidden.
func (s *ruleSet) allows(path string) bool {
	for _, path := range slices.Compact([]string{normalPath(path, false, true), normalPath(mergedSlashes(path), false, true)}) {
		path := spell(path, "/?", "=&")
		octets, allowed := 0, true
		for i := range s.rules {
			r := &s.rules[i]
			if (r.octets > octets || r.octets == octets && r.allow) && r.matches(path) {
				octets, allowed = r.octets, r.allow
			}
		}
		if !allowed {
			return false
		}
	}
	return true
}

// mergedSlashes is a path with one stroke in place of several, its query left alone.
func mergedSlashes(path string) string {
	path, query, found := strings.Cut(path, "?")
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	if found {
		path += "?" + query
	}
	return path
}

// matches says whether the rule is one about a path.
func (r *pathRule) matches(path spelled) bool {
	first, last := r.parts[0], len(r.parts)-1
	if !path.has(first, 0) {
		return false
	}
	rest := path.from(len(first.octets))
	if last == 0 {
		return !r.ends || rest.octets == ""
	}
	for _, part := range r.parts[1:last] {
		i := rest.index(part)
		if i < 0 {
			return false
		}
		rest = rest.from(i + len(part.octets))
	}
	if r.ends {
		return rest.has(r.parts[last], len(rest.octets)-len(r.parts[last].octets))
	}
	return rest.index(r.parts[last]) >= 0
}

// normalPath brings a path with its query, or a pattern, into one form (RFC 9309 §2.2.2). Octets
// that are neither unreserved nor dividers are percent-encoded, in capitals; unreserved ones are not.
// Dot segments are resolved (RFC 3986 §5.2.4). In a pattern "*" is a wildcard; an encoded one
// is the character, as it is in a path. If whole is true, the last segment is complete; that of a
// pattern may go on.
func normalPath(text string, pattern, whole bool) string {
	path, query, found := strings.Cut(normalOctets(text, pattern), "?")
	path = withoutDots(path, whole || found)
	if found {
		path += "?" + query
	}
	return path
}

// dividers are what divides a path ("/" and its end "?") or a query ("=" and "&").
const dividers = "/?=&"

func normalOctets(text string, pattern bool) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	b.Grow(len(text) + len(text)/4)
	for i := 0; i < len(text); i++ {
		c := text[i]
		plain := strings.IndexByte(dividers, c) >= 0 || pattern && c == '*'
		if c == '%' && i+2 < len(text) && isHex(text[i+1]) && isHex(text[i+2]) {
			c = unhex(text[i+1])<<4 | unhex(text[i+2])
			i += 2
			plain = false
		}
		if plain || isUnreserved(c) {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

func isUnreserved(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '-' || c == '.' || c == '_' || c == '~'
}

// withoutDots resolves the segments "." and ".." of a path. Without whole, the last segment is only
// the beginning of one. What is after a wildcard can't be resolved away.
func withoutDots(path string, whole bool) string {
	if !strings.Contains(path, "/.") {
		return path
	}
	segments := strings.Split(path, "/")
	kept := segments[:0:0]
	for i, s := range segments {
		last := i == len(segments)-1
		switch {
		case s != "." && s != ".." || last && !whole:
			kept = append(kept, s)
			continue
		case s == ".." && len(kept) > 1:
			if strings.Contains(kept[len(kept)-1], "*") {
				kept = append(kept, s)
				continue
			}
			kept = kept[:len(kept)-1]
		}
		if last {
			kept = append(kept, "") // a folder
		}
	}
	return strings.Join(kept, "/")
}
