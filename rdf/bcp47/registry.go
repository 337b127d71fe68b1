package bcp47

import (
	_ "embed"
	"strings"
	"sync"
)

// registryText is the compact form of the IANA language subtag registry: a line with its
// date, then sections that begin with their name in brackets. Those of subtags of one
// length are words; the others have a key a line, and after a tab its value if it has one.
//
//go:embed registry.txt
var registryText string

// Date is the File-Date of the registry that this package knows.
var Date = registryDate(registryText)

// What the sections of the registry say, once load was called. Subtags of one length are
// joined without a space between them, in order.
var (
	extlangs3, languages2, languages3, regions2, regions3, scripts4 string

	variants map[string]string
	// deprecated are subtags with their types, and redundant tags, and what takes their place.
	deprecated map[string]string
	// grandfathered are tags that were registered as a whole, and what takes their place;
	// themselves, if nothing is to.
	grandfathered map[string]string
	// prefixes are what extlangs and variants may follow.
	prefixes map[string]string
	// suppressed are the scripts that a language is written in as a matter of course.
	suppressed map[string]string
	// names are English names and codes of ISO 639-2 of languages that have a subtag of
	// two letters.
	names map[string]string
	// common are the languages of two letters that are not deprecated.
	common [26][26]bool
)

// load reads the registry when the first tag is judged: most verbs judge none.
var load = sync.OnceFunc(func() {
	for section := range strings.SplitSeq(registryText, "\n[") {
		name, body, _ := strings.Cut(section, "]\n")
		switch name {
		case "extlangs3":
			extlangs3 = joined(body)
		case "languages2":
			languages2 = joined(body)
		case "languages3":
			languages3 = joined(body)
		case "regions2":
			regions2 = joined(body)
		case "regions3":
			regions3 = joined(body)
		case "scripts4":
			scripts4 = joined(body)
		case "variants":
			variants = pairs(body)
		case "deprecated":
			deprecated = pairs(body)
		case "grandfathered":
			grandfathered = pairs(body)
		case "prefixes":
			prefixes = pairs(body)
		case "suppressed":
			suppressed = pairs(body)
		case "names":
			names = pairs(body)
		}
	}
	for i := 0; i < len(languages2); i += 2 {
		if _, old := deprecated["language "+languages2[i:i+2]]; !old {
			common[languages2[i]-'a'][languages2[i+1]-'a'] = true
		}
	}
})

func registryDate(text string) string {
	_, date, _ := strings.Cut(text, "File-Date: ")
	date, _, _ = strings.Cut(date, "\n")
	return date
}

func joined(subtags string) string { return strings.Join(strings.Fields(subtags), "") }

// pairs are the keys of the lines, and their values; empty where there is none.
func pairs(lines string) map[string]string {
	found := map[string]string{}
	for line := range strings.Lines(lines) {
		if key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); key != "" {
			found[key] = value
		}
	}
	return found
}
