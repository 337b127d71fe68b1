package encoding

import (
	"slices"
	"strings"

	"laundromat/encoding/language"
)

// homes are the languages that an encoding of Latin letters was made for, where these are not
// all that can be written in it. Nearly each has the letters of German and French too; but who
// writes these languages writes them in an encoding of western Europe.
var homes = map[string][]string{
	"windows-1250": central, "iso-8859-2": central, "ibm852": central, "x-mac-ce": central,
	"iso-8859-16":  {"Romanian", "Albanian", "Croatian", "Slovene"},
	"windows-1254": turkish, "iso-8859-9": turkish, "ibm857": turkish,
	"windows-1257": baltic, "iso-8859-13": baltic,
	"iso-8859-4":   slices.Concat(baltic, nordic),
	"iso-8859-10":  slices.Concat(baltic, nordic),
	"windows-1258": vietnamese, "viscii": vietnamese,
	"iso-8859-3":  {"Maltese", "Esperanto"},
	"iso-8859-14": {"Irish", "Welsh", "Breton", "Scottish Gaelic"},
	"ibm865":      {"Danish", "Norwegian", "Norwegian Nynorsk"},
}

var (
	central = []string{"Polish", "Czech", "Slovak", "Hungarian", "Slovene", "Croatian", "Bosnian", "Serbian in Latin",
		"Romanian with cedillas", "Albanian"}
	turkish    = []string{"Turkish", "Kurdish"}
	baltic     = []string{"Estonian", "Latvian", "Lithuanian"}
	nordic     = []string{"Icelandic", "Norwegian", "Swedish", "Danish", "Faroese"}
	vietnamese = []string{"Vietnamese", "Vietnamese with combining tones"}
)

const (
	// abroad is how much less likely (as a logarithm) a language is in an encoding that has its
	// letters, but was made for others. It is one document in some thousand. Few
	// words do not show the language of a document; they may be names.
	abroad = 8
	// visiting is the same, whatever the number of words, in one that lacks letters of the language.
	visiting = 3
)

// atHome says which of the languages, of which the last are guests, an encoding was made for.
func atHome(name string, languages []*language.Language, guests int) []bool {
	made := homes[name]
	at := make([]bool, len(languages))
	for j, l := range languages {
		switch {
		case l.Script == language.Latin && made != nil:
			at[j] = slices.Contains(made, l.Name)
		case l.Script == language.Latin && strings.HasPrefix(name, "windows-125"): // mostly of another script
			at[j] = name == "windows-1252" && j < len(languages)-guests
		default:
			at[j] = j < len(languages)-guests
		}
	}
	return at
}

// away is by how much a document is less likely in this encoding than in one that was made for
// its languages. How many of the words each language accounts for is in wins.
func (r *reading) away(wins []float64, words int) (sum float64) {
	known := float64(words) / float64(words+manyLanguages)
	for j, isHome := range r.isHome {
		share := wins[j] / float64(max(1, words))
		if j >= len(wins)-r.guests {
			sum += share * visiting
		}
		if !isHome {
			sum += share * known * abroad
		}
	}
	return sum
}
