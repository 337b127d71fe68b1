package bcp47

import (
	_ "embed"
	"strings"
)

// registryText is the compact form of the IANA language subtag registry: a line with its
// date, then sections that begin with their name in brackets. Those of subtags of one
// length are words; the others have a key a line, and behind a tab its value if it has one.
//
//go:embed registry.txt
var registryText string

// Date is the File-Date of the registry that this package knows.
var Date = registry.date

var registry = readRegistry(registryText)

// registryTable is what the sections hold. Subtags are joined without a space between
// them, in order.
type registryTable struct {
	date string
	// subtags are those of one length, by type and length, as languages2.
	subtags map[string]string
	// values are the pairs of the other sections, by the name of the section.
	values map[string]map[string]string
}

// What the sections of the registry say.
var (
	extlangs3  = registry.subtags["extlangs3"]
	languages2 = registry.subtags["languages2"]
	languages3 = registry.subtags["languages3"]
	regions2   = registry.subtags["regions2"]
	regions3   = registry.subtags["regions3"]
	scripts4   = registry.subtags["scripts4"]

	variants = registry.values["variants"]
	// deprecated are subtags with their types, and redundant tags, and what takes their place.
	deprecated = registry.values["deprecated"]
	// grandfathered are tags that were registered as a whole, and what takes their place;
	// themselves, if nothing is to.
	grandfathered = registry.values["grandfathered"]
	// prefixes are what extlangs and variants may stand behind.
	prefixes = registry.values["prefixes"]
	// suppressed are the scripts that a language is written in as a matter of course.
	suppressed = registry.values["suppressed"]
	// names are English names and codes of ISO 639-2 of languages that have a subtag of
	// two letters.
	names = registry.values["names"]
)

func readRegistry(text string) registryTable {
	table := registryTable{subtags: map[string]string{}, values: map[string]map[string]string{}}
	for section := range strings.SplitSeq(text, "\n[") {
		name, body, found := strings.Cut(section, "]\n")
		switch {
		case !found:
			_, date, _ := strings.Cut(section, "File-Date: ")
			table.date = strings.TrimSpace(date)
		case strings.ContainsAny(name, "234"):
			table.subtags[name] = strings.NewReplacer(" ", "", "\n", "").Replace(body)
		default:
			pairs := map[string]string{}
			for line := range strings.Lines(body) {
				if line = strings.TrimSuffix(line, "\n"); line != "" {
					key, value, _ := strings.Cut(line, "\t")
					pairs[key] = value
				}
			}
			table.values[name] = pairs
		}
	}
	return table
}
