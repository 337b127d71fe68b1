package web

import (
	"net/http"
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"laundromat/seedlist"
)

// longestFileName is how many characters of a document's own name a file is called by.
const longestFileName = 80

// attach names the file that a reply is saved as: by the document, and an ending that says what of it. Names outside
// ASCII are given as RFC 6266, section 4.3 has them, with one in ASCII beside.
func attach(h http.Header, seed *seedlist.Seed, ending string, keepsEnding bool) {
	attachAs(h, fileNameOf(seed, keepsEnding)+ending)
}

// attachAs names the file that a reply is saved as.
func attachAs(h http.Header, name string) {
	plain := strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf {
			return '_'
		}
		return r
	}, name)
	value := `attachment; filename="` + plain + `"`
	if plain != name {
		value += "; filename*=UTF-8''" + url.PathEscape(name)
	}
	h.Set("Content-Disposition", value)
}

// fileNameOf is what a person calls a document: the last part of its entry's name or its URI, without the ending unless
// it is kept; else its title, else its key. Only letters, digits and - . _ are in it, and it begins with none of these.
func fileNameOf(seed *seedlist.Seed, keepsEnding bool) string {
	candidates := []string{""}
	if seed.Archive != nil {
		candidates = append(candidates, seed.Archive.Name())
	}
	if u, err := url.Parse(seed.URI); err == nil && seed.URI != "" {
		candidates = append(candidates, u.Path)
	}
	for _, whole := range candidates {
		base := path.Base(strings.ReplaceAll(whole, `\`, "/"))
		if !keepsEnding {
			base = withoutEndings(base)
		}
		if name := safeName(base); name != "" {
			return name
		}
	}
	if name := safeName(seedlist.ShownIn(seed.Title)); name != "" {
		return name
	}
	return seed.Hash
}

// withoutEndings takes the endings of a name off: that of a compression, and that of a format.
func withoutEndings(name string) string {
	for range 2 {
		ending := path.Ext(name)
		isEnding := len(ending) > 1 && len(ending) <= 8 && len(ending) < len(name) && unicode.IsLetter(rune(ending[1])) &&
			!strings.ContainsAny(ending, "-_ ")
		if !isEnding {
			return name
		}
		name = strings.TrimSuffix(name, ending)
	}
	return name
}

func safeName(name string) string {
	if !utf8.ValidString(name) {
		return ""
	}
	var b strings.Builder
	n := 0
	for _, r := range name {
		if n++; n > longestFileName {
			break
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-._", r) {
			b.WriteRune(r)
		} else {
			b.WriteByte('_')
		}
	}
	return strings.Trim(b.String(), "-._")
}
