package pages

import (
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/web"
)

//go:embed templates/*.html
var templateFiles embed.FS

// templates are the pages by the name of their file, each with the layout and the parts. They are read when
// the first page is asked for: a verb of the command line has none.
var templates = sync.OnceValue(parseTemplates)

func parseTemplates() map[string]*template.Template {
	shared := template.Must(template.New("").Funcs(functions).Funcs(datasetFunctions).ParseFS(templateFiles, "templates/layout.html",
		"templates/*parts.html"))
	all := map[string]*template.Template{}
	files, err := templateFiles.ReadDir("templates")
	if err != nil {
		panic(err) // the files are in the program
	}
	for _, file := range files {
		if name := file.Name(); name != "layout.html" && !strings.HasSuffix(name, "parts.html") {
			all[name] = template.Must(template.Must(shared.Clone()).ParseFS(templateFiles, path.Join("templates", name)))
		}
	}
	return all
}

// functions are what templates may call.
var functions = template.FuncMap{
	"shown":   shown,
	"plainly": plainly,
	"uri":     func(uri string) template.HTML { return shown(seedlist.Shown(uri)) },
	"name":    nameOf,
	"notices": noticesOf,
	"timesOf": func(seed seedlist.Seed, code string) int64 { return seed.Notices[fault.Code(code)] },
	"share":   share,
	"prose":   func(text string) template.HTML { return shown(seedlist.ShownIn(text)) },
	"number":  number,
	"quote":   quoted,
	"bytes":   bytesOf,
	"decimal": func(n *float64, places int) string { return strconv.FormatFloat(*n, 'f', places, 64) },
	"moment":  moment,
	"minute":  minute,
	"address": address,
	// hasRepairs says that a document has a patch of its repairs.
	"hasRepairs": func(s seedlist.Seed) bool { return web.HasRepairs(&s) },
	"static":     staticPath,
	"link":       func(path string, n int64) linked { return linked{path, n} },
	"bar":        func(part, whole int64) bar { return bar{part, whole} },
	"words":      func(s seedlist.State) string { return s.Words() },
	"meaning":    func(s seedlist.State) string { return s.Meaning() },
	"plural": func(n any, one, more string) string {
		if fmt.Sprint(n) == "1" {
			return one
		}
		return more
	},
}

// linked is a number that leads to the list which it counts.
type linked struct {
	Path string
	N    int64
}

// bar is a part of a whole, to be drawn.
type bar struct{ Part, Whole int64 }

// Width is that of the part, in percent. What is there at all can be seen.
func (b bar) Width() string {
	if b.Whole <= 0 || b.Part <= 0 {
		return "0"
	}
	return strconv.FormatFloat(max(0.5, 100*float64(b.Part)/float64(b.Whole)), 'f', 2, 64)
}

// shown is a text of others, made inert, whose control characters can be seen: as U+202E in a mark. What
// is no UTF-8 is shown as the bytes that it is.
func shown(text string) template.HTML { return marked(text, isInvisible) }

// legible is shown for the texts of articles, in which spaces of all kinds, and what joins letters, are no dirt.
func legible(text string) template.HTML {
	return marked(text, func(r rune) bool { return isInvisible(r) && !isTypography(r) })
}

// isTypography says that a character that can't be seen has its place in prose: it changes nothing but how the
// letters beside it are set.
func isTypography(r rune) bool {
	switch r {
	case '\n', '\t', '\u00ad', '\u200b', '\u200c', '\u200d', '\u200e', '\u200f', '\u2060':
		return true
	}
	return unicode.Is(unicode.Zs, r) || unicode.Is(unicode.Variation_Selector, r)
}

// marked is a text of others, made inert, in which some characters are shown by their numbers.
func marked(text string, isHidden func(rune) bool) template.HTML {
	var b strings.Builder
	from := 0
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		name := ""
		switch {
		case r == utf8.RuneError && size == 1:
			name = fmt.Sprintf("0x%02X", text[at])
		case isHidden(r):
			name = fmt.Sprintf("U+%04X", r)
		}
		if name != "" {
			b.WriteString(template.HTMLEscapeString(text[from:at]))
			b.WriteString(`<span class="control">` + name + `</span>`)
			from = at + size
		}
		at += size
	}
	b.WriteString(template.HTMLEscapeString(text[from:]))
	return template.HTML(b.String())
}

// plainly is shown for where no marks can be: titles and labels.
func plainly(text string) string {
	var b strings.Builder
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, "[0x%02X]", text[at])
		case isInvisible(r):
			fmt.Fprintf(&b, "[U+%04X]", r)
		default:
			b.WriteRune(r)
		}
		at += size
	}
	return b.String()
}

// isInvisible says that a character changes what others look like, or looks like nothing itself.
func isInvisible(r rune) bool {
	return unicode.Is(unicode.C, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) || unicode.Is(unicode.Zs, r) && r != ' ' ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector, r)
}

// plainName is what a seed is called: its URI, the name of the entry that it is, or what its clean file is named by.
func plainName(seed *seedlist.Seed) string {
	switch {
	case seed.URI != "":
		return seedlist.Shown(seed.URI)
	case seed.Archive != nil && seed.Archive.Entry != "":
		return seedlist.ShownIn(seed.Archive.Entry)
	}
	return seed.Hash
}

// nameOf is that, made inert.
func nameOf(seed seedlist.Seed) template.HTML { return shown(plainName(&seed)) }

// noticed is how often a document has a notice.
type noticed struct {
	Code fault.Code
	N    int64
}

// noticesOf are the most frequent notices of a seed, three at most.
func noticesOf(seed seedlist.Seed) (all []noticed) {
	for code, n := range seed.Notices {
		all = append(all, noticed{code, n})
	}
	slices.SortFunc(all, func(a, b noticed) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Code, b.Code)) })
	return all[:min(len(all), 3)]
}

// share is a part of a whole in percent.
func share(part, whole int64) string {
	if whole == 0 {
		return ""
	}
	return strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64) + " %"
}

// number is an integer with its thousands apart.
func number(n any) string {
	if known, ok := n.(*int64); ok {
		n = *known
	}
	digits := fmt.Sprint(n)
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return sign + digits
}

// bytesOf is a number of bytes as people read it.
func bytesOf(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	size := float64(n)
	for _, unit := range []string{"kB", "MB", "GB", "TB"} {
		if size /= 1000; size < 999.5 {
			return fmt.Sprintf("%.3g %s", size, unit)
		}
	}
	return fmt.Sprintf("%.0f TB", size)
}

// moment is a time in UTC; nothing for none.
func moment(t time.Time) template.HTML {
	if t.IsZero() {
		return ""
	}
	t = t.UTC()
	return template.HTML(`<time datetime="` + t.Format(time.RFC3339) + `">` + t.Format("2006-01-02 15:04:05") + `&nbsp;UTC</time>`)
}

// minute is a time in UTC without its seconds, for narrow columns.
func minute(t time.Time) template.HTML {
	if t.IsZero() {
		return ""
	}
	t = t.UTC()
	return template.HTML(`<time datetime="` + t.Format(time.RFC3339) + `">` + t.Format("2006-01-02 15:04") + `</time>`)
}

// address is a path with a query of names and values; empty values are left out.
func address(path string, pairs ...any) string {
	query := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if value := fmt.Sprint(pairs[i+1]); value != "" {
			query.Set(fmt.Sprint(pairs[i]), value)
		}
	}
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}
