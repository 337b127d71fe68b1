// Package bcp47 judges language tags by BCP 47 (RFC 5646). It says whether they are well-formed, and
// whether the IANA language subtag registry knows what they are made of. A compact form of the
// registry is built in; [Date] is its age.
//
//	bcp47.WellFormed([]byte("en-uk")) // true
//	bcp47.Judge([]byte("en-uk"))      // the region uk is not registered; gb is
//
// Tags are given in small letters.
package bcp47

//go:generate go run generate.go -package $LANGUAGE_SUBTAG_REGISTRY

import (
	"bytes"
	"strings"
)

// Finding is something that the registry holds against a tag.
type Finding struct {
	Kind    Kind
	Subtag  string // or the whole tag
	Part    string // what the subtag is: language, script, …
	Instead string // what is to be written in its place, where that is known
}

// Kind says what is wrong.
type Kind uint8

const (
	Unregistered Kind = iota + 1 // no such subtag
	Deprecated                   // registered, and no longer to be used
	Misplaced                    // not after a prefix that the registry names; Instead is that one
	Repeated                     // a variant or an extension occurs twice (RFC 5646 §2.2.5, §2.2.6)
	Needless                     // the script that the language is written in anyway (Suppress-Script)
)

// IsCommon says that the tag is a language of two letters with nothing against it.
// It is quick, and denies all other tags.
func IsCommon(tag []byte) bool {
	load()
	return len(tag) == 2 && 'a' <= tag[0] && tag[0] <= 'z' && 'a' <= tag[1] && tag[1] <= 'z' && common[tag[0]-'a'][tag[1]-'a']
}

// Judge finds what the registry holds against a well-formed tag in small letters.
func Judge(tag []byte) (found []Finding) {
	load()
	text := string(tag)
	if instead, whole := grandfathered[text]; whole {
		if instead != text {
			found = append(found, Finding{Deprecated, text, "tag", instead})
		}
		return found
	}
	if instead, old := deprecated[text]; old { // redundant; the registry has no space in them
		return []Finding{{Deprecated, text, "tag", instead}}
	}
	j := judgement{subtags: strings.Split(text, "-")}
	if j.subtags[0] == "x" {
		return nil
	}
	j.language()
	j.extlangs()
	j.script()
	j.region()
	j.variants()
	j.extensions()
	return j.found
}

// judgement is the work on one tag. Its methods judge one part after the other, each from subtag i on.
type judgement struct {
	subtags []string
	i       int
	found   []Finding
}

func (j *judgement) add(kind Kind, subtag, part, instead string) {
	j.found = append(j.found, Finding{kind, subtag, part, instead})
}

// check looks a subtag up. A known one may be deprecated.
func (j *judgement) check(part, subtag, list string) {
	if !has(list, subtag) && !isPrivate(part, subtag) {
		j.add(Unregistered, subtag, part, meant(part, subtag))
	} else if instead, old := deprecated[part+" "+subtag]; old {
		j.add(Deprecated, subtag, part, instead)
	}
}

// at is subtag i, "" after the last.
func (j *judgement) at() string {
	if j.i < len(j.subtags) {
		return j.subtags[j.i]
	}
	return ""
}

func (j *judgement) language() {
	switch language := j.at(); len(language) {
	case 2:
		j.check("language", language, languages2)
	case 3:
		j.check("language", language, languages3)
	default:
		j.add(Unregistered, language, "language", names[language])
	}
	j.i++
}

func (j *judgement) extlangs() {
	for ; j.i <= 3 && len(j.at()) == 3 && isAlpha(j.at()); j.i++ {
		j.check("extlang", j.at(), extlangs3)
		// Only one may be there: the places of a second and third are reserved (§2.2.2).
		if prefix := prefixes["extlang "+j.at()]; prefix != "" && (j.i > 1 || !isBehind(j.subtags[:j.i], prefix)) {
			j.add(Misplaced, j.at(), "extlang", prefix)
		}
	}
}

func (j *judgement) script() {
	if len(j.at()) != 4 || !isAlpha(j.at()) {
		return
	}
	j.check("script", j.at(), scripts4)
	if suppressed[j.subtags[0]] == j.at() && j.i == 1 {
		j.add(Needless, j.at(), "script", "")
	}
	j.i++
}

func (j *judgement) region() {
	switch len(j.at()) {
	case 2:
		j.check("region", j.at(), regions2)
	case 3:
		j.check("region", j.at(), regions3)
	default:
		return
	}
	j.i++
}

func (j *judgement) variants() {
	for begin := j.i; len(j.at()) >= 4; j.i++ {
		variant := j.at()
		_, registered := variants[variant]
		switch instead, old := deprecated["variant "+variant]; {
		case !registered:
			j.add(Unregistered, variant, "variant", "")
		case old:
			j.add(Deprecated, variant, "variant", instead)
		default:
			if prefix := prefixes["variant "+variant]; prefix != "" && !isBehind(j.subtags[:j.i], prefix) {
				j.add(Misplaced, variant, "variant", prefix)
			}
		}
		for _, before := range j.subtags[begin:j.i] {
			if before == variant {
				j.add(Repeated, variant, "variant", "")
			}
		}
	}
}

func (j *judgement) extensions() {
	seen := ""
	for ; j.i < len(j.subtags) && j.at() != "x"; j.i++ {
		switch singleton := j.at(); {
		case len(singleton) != 1:
		case strings.Contains(seen, singleton):
			j.add(Repeated, singleton, "extension", "")
		case singleton != "u" && singleton != "t": // RFC 6067, RFC 6497
			j.add(Unregistered, singleton, "extension", "")
			seen += singleton
		default:
			seen += singleton
		}
	}
}

// has says that a list of subtags of one length has a subtag.
func has(list, subtag string) bool {
	n := len(subtag)
	low, high := 0, len(list)/n
	for low < high {
		middle := (low + high) / 2
		switch at := list[middle*n : middle*n+n]; {
		case at == subtag:
			return true
		case at < subtag:
			low = middle + 1
		default:
			high = middle
		}
	}
	return false
}

// isPrivate says that the registry leaves a subtag to private use.
func isPrivate(part, subtag string) bool {
	switch part {
	case "language":
		return "qaa" <= subtag && subtag <= "qtz" && len(subtag) == 3
	case "script":
		return "qaaa" <= subtag && subtag <= "qabx"
	case "region":
		return len(subtag) == 2 && ("qm" <= subtag && subtag <= "qz" || "xa" <= subtag && subtag <= "xz")
	}
	return false
}

// meant is the subtag that was most likely meant by one which does not exist. That is the code of
// ISO 639-2 for the language's code of two letters, or the code of a country for that of its
// language. If nothing is likely, it is "".
func meant(part, subtag string) string {
	switch part {
	case "language":
		if name := names[subtag]; name != "" {
			return name
		}
		return map[string]string{"jp": "ja", "cz": "cs", "gr": "el", "dk": "da", "cn": "zh", "ua": "uk", "by": "be", "gb": "en", "us": "en",
			"eng": "en"}[subtag]
	case "region":
		return map[string]string{"uk": "gb", "en": "gb", "ja": "jp"}[subtag]
	}
	return ""
}

// isBehind says that subtags begin with one of the prefixes, which may have other
// subtags between theirs (RFC 5646 §2.2.5).
func isBehind(subtags []string, prefixes string) bool {
	for prefix := range strings.FieldsSeq(prefixes) {
		rest, ok := subtags, true
		for want := range strings.SplitSeq(prefix, "-") {
			n := 0
			for n < len(rest) && rest[n] != want {
				n++
			}
			if ok = n < len(rest) && (len(rest) < len(subtags) || n == 0); !ok {
				break
			}
			rest = rest[n+1:]
		}
		if ok {
			return true
		}
	}
	return false
}

// WellFormed says that a tag in small letters is well-formed (RFC 5646 §2.1):
//
//	language [-script] [-region] *(-variant) *(-extension) [-x-private]
//
// or one of those that are registered as a whole. It does not ask whether the
// subtags are registered.
func WellFormed(tag []byte) bool {
	load()
	if len(tag) == 2 {
		return isAlpha(string(tag))
	}
	if _, whole := grandfathered[string(tag)]; whole {
		return true
	}
	if len(tag) == 0 || tag[len(tag)-1] == '-' || !isAlphanumeric(tag) {
		return false
	}
	s := splitter{rest: tag}
	s.next()
	// a tag may be private as a whole: x-…
	if len(s.sub) != 1 && (!s.language() || !s.extensions()) {
		return false
	}
	return s.private()
}

// splitter goes over the subtags of a tag. sub is the current one, empty after the last.
type splitter struct{ sub, rest []byte }

func (s *splitter) next() { s.sub, s.rest, _ = bytes.Cut(s.rest, []byte("-")) }

// language goes over language [-script] [-region] *(-variant). False means that they are not well-formed.
func (s *splitter) language() bool {
	if !isAlpha(s.sub) || len(s.sub) < 2 || len(s.sub) > 8 {
		return false
	}
	short := len(s.sub) <= 3
	s.next()
	for n := 0; short && n < 3 && len(s.sub) == 3 && isAlpha(s.sub); n++ { // extended language
		s.next()
	}
	if len(s.sub) == 4 && isAlpha(s.sub) { // script
		s.next()
	}
	if len(s.sub) == 2 && isAlpha(s.sub) || len(s.sub) == 3 && isDigits(s.sub) { // region
		s.next()
	}
	for len(s.sub) >= 5 && len(s.sub) <= 8 || len(s.sub) == 4 && isDigit(s.sub[0]) { // variant
		s.next()
	}
	return true
}

// extensions goes over *(-extension). False means that one of them is empty.
func (s *splitter) extensions() bool {
	for len(s.sub) == 1 && s.sub[0] != 'x' {
		n := 0
		for s.next(); len(s.sub) >= 2 && len(s.sub) <= 8; s.next() {
			n++
		}
		if n == 0 {
			return false
		}
	}
	return true
}

// private says that no more than [-x-private] is left, and is well-formed.
func (s *splitter) private() bool {
	if len(s.sub) == 0 {
		return len(s.rest) == 0
	}
	if string(s.sub) != "x" || len(s.rest) == 0 {
		return false
	}
	for len(s.rest) > 0 {
		if s.next(); len(s.sub) < 1 || len(s.sub) > 8 {
			return false
		}
	}
	return true
}

func isAlpha[T string | []byte](s T) bool {
	for i := range len(s) {
		b := s[i]
		if !isLetter(b) {
			return false
		}
	}
	return true
}

func isDigits(s []byte) bool {
	for i := range len(s) {
		b := s[i]
		if !isDigit(b) {
			return false
		}
	}
	return true
}

// isAlphanumeric says that s is made of letters, digits, and hyphens between them.
func isAlphanumeric(s []byte) bool {
	for i, b := range s {
		if !isLetter(b) && !isDigit(b) && (b != '-' || i == 0 || s[i-1] == '-') {
			return false
		}
	}
	return true
}

func isLetter(b byte) bool { return 'a' <= b && b <= 'z' }
func isDigit(b byte) bool  { return '0' <= b && b <= '9' }
