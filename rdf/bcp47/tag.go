// Package bcp47 judges language tags by BCP 47 (RFC 5646): whether they are
// well-formed, and whether the IANA language subtag registry knows what they are
// made of. A compact form of the registry is built in; [Date] tells its age.
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
	Misplaced                    // not behind a prefix that the registry names; Instead tells it
	Repeated                     // a variant or an extension stands twice (RFC 5646 §2.2.5, §2.2.6)
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
	add := func(kind Kind, subtag, part, instead string) {
		found = append(found, Finding{kind, subtag, part, instead})
	}
	// check looks a subtag up. A known one may be deprecated.
	check := func(part, subtag, list string) {
		if !has(list, subtag) && !isPrivate(part, subtag) {
			add(Unregistered, subtag, part, meant(part, subtag))
		} else if instead, old := deprecated[part+" "+subtag]; old {
			add(Deprecated, subtag, part, instead)
		}
	}
	subtags := strings.Split(text, "-")
	if subtags[0] == "x" {
		return nil
	}
	language := subtags[0]
	switch len(language) {
	case 2:
		check("language", language, languages2)
	case 3:
		check("language", language, languages3)
	default:
		add(Unregistered, language, "language", names[language])
	}
	i := 1
	for ; i < len(subtags) && i <= 3 && len(subtags[i]) == 3 && isAlpha(subtags[i]); i++ {
		check("extlang", subtags[i], extlangs3)
		// Only one may stand there: the places of a second and third are reserved (§2.2.2).
		if prefix := prefixes["extlang "+subtags[i]]; prefix != "" && (i > 1 || !isBehind(subtags[:i], prefix)) {
			add(Misplaced, subtags[i], "extlang", prefix)
		}
	}
	if i < len(subtags) && len(subtags[i]) == 4 && isAlpha(subtags[i]) {
		check("script", subtags[i], scripts4)
		if suppressed[language] == subtags[i] && i == 1 {
			add(Needless, subtags[i], "script", "")
		}
		i++
	}
	if i < len(subtags) && len(subtags[i]) == 2 {
		check("region", subtags[i], regions2)
		i++
	} else if i < len(subtags) && len(subtags[i]) == 3 {
		check("region", subtags[i], regions3)
		i++
	}
	for begin := i; i < len(subtags) && len(subtags[i]) >= 4; i++ {
		variant := subtags[i]
		_, registered := variants[variant]
		switch instead, old := deprecated["variant "+variant]; {
		case !registered:
			add(Unregistered, variant, "variant", "")
		case old:
			add(Deprecated, variant, "variant", instead)
		default:
			if prefix := prefixes["variant "+variant]; prefix != "" && !isBehind(subtags[:i], prefix) {
				add(Misplaced, variant, "variant", prefix)
			}
		}
		for _, before := range subtags[begin:i] {
			if before == variant {
				add(Repeated, variant, "variant", "")
			}
		}
	}
	seen := ""
	for ; i < len(subtags) && subtags[i] != "x"; i++ {
		switch singleton := subtags[i]; {
		case len(singleton) != 1:
		case strings.Contains(seen, singleton):
			add(Repeated, singleton, "extension", "")
		case singleton != "u" && singleton != "t": // RFC 6067, RFC 6497
			add(Unregistered, singleton, "extension", "")
			seen += singleton
		default:
			seen += singleton
		}
	}
	return found
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

// meant is the subtag that one which does not exist most likely stands for: a
// code of ISO 639-2 for that of two letters, or the code of a country for that of
// its language. "" if nothing is likely.
func meant(part, subtag string) string {
	switch part {
	case "language":
		if name := names[subtag]; name != "" {
			return name
		}
		return map[string]string{"jp": "ja", "cz": "cs", "gr": "el", "dk": "da", "cn": "zh", "ua": "uk", "by": "be", "gb": "en", "us": "en", "eng": "en"}[subtag]
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
	rest := tag
	next := func() (subtag []byte) {
		subtag, rest, _ = bytes.Cut(rest, []byte("-"))
		return subtag
	}
	if len(tag) == 0 || tag[len(tag)-1] == '-' || !isAlphanumeric(tag) {
		return false
	}
	sub := next()
	if len(sub) != 1 { // language; a tag may be private as a whole: x-…
		if !isAlpha(sub) || len(sub) < 2 || len(sub) > 8 {
			return false
		}
		short := len(sub) <= 3
		sub = next()
		for n := 0; short && n < 3 && len(sub) == 3 && isAlpha(sub); n++ { // extended language
			sub = next()
		}
		if len(sub) == 4 && isAlpha(sub) { // script
			sub = next()
		}
		if len(sub) == 2 && isAlpha(sub) || len(sub) == 3 && isDigits(sub) { // region
			sub = next()
		}
		for len(sub) >= 5 && len(sub) <= 8 || len(sub) == 4 && isDigit(sub[0]) { // variant
			sub = next()
		}
		for len(sub) == 1 && sub[0] != 'x' { // extension
			n := 0
			for sub = next(); len(sub) >= 2 && len(sub) <= 8; sub = next() {
				n++
			}
			if n == 0 {
				return false
			}
		}
	}
	if len(sub) == 0 {
		return len(rest) == 0
	}
	if string(sub) != "x" || len(rest) == 0 {
		return false
	}
	for len(rest) > 0 {
		if sub = next(); len(sub) < 1 || len(sub) > 8 {
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
