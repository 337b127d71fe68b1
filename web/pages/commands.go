package pages

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"laundromat/web"
)

// ways are a list as a command of a shell, and as a request of the API.
type ways struct {
	Command string
	// Lacks are the filters that the command does not have.
	Lacks []string
	Curl  string
}

// waysOf writes a list as commands. What is in them came from an address: it is quoted for the shell.
func waysOf(r *http.Request, q web.ListQuery) (w ways) {
	command := []string{"laundromat", "seed", "list"}
	if q.TermFilter.IsSet() {
		command = []string{"laundromat", "datasets"}
	}
	query := url.Values{}
	for _, one := range []struct {
		name, value string
		isFlag      bool
	}{
		{"state", q.State, true}, {"format", q.Format, true}, {"host", q.Host, true}, {"source", q.Source, true}, {"error", q.Error, true},
		{"notice", q.Notice, true}, {"product", q.Product, true}, {"washer", q.Washer, true}, {"parent", q.Parent, true},
		{"http_status", q.HTTPStatus, true},
		{"class", q.Class, true}, {"property", q.Property, true}, {"vocabulary", q.Vocabulary, true}, {"datatype", q.Datatype, true},
		{"language", q.Language, true}, {"links_to", q.LinksTo, true}, {"statistics", q.Statistics, false},
		{"publisher", q.Publisher, false}, {"licence", q.Licence, false}, {"recipe", q.Recipe, false},
		{"score", q.Score, false}, {"turn", q.Turn, false}, {"since", q.Since, false},
		{"encoding", q.Encoding, false}, {"catalog", q.Catalog, false}, {"relative", q.Relative, false}, {"sort", q.Sort, false},
	} {
		switch {
		case one.value == "":
			continue
		case one.isFlag:
			command = append(command, "--"+strings.ReplaceAll(one.name, "_", "-"), quoted(one.value))
		default:
			w.Lacks = append(w.Lacks, one.name)
		}
		query.Set(one.name, one.value)
	}
	if q.Files == "false" && q.State == "" {
		w.Lacks = append(w.Lacks, "way to leave out clean files")
		query.Set("files", "false")
	}
	w.Command = strings.Join(command, " ")
	at := web.BaseOf(r) + "/api/v1/seeds"
	if len(query) > 0 {
		at += "?" + query.Encode()
	}
	w.Curl = "curl -H 'Accept: application/x-ndjson' " + quoted(at)
	return w
}

// quoted is one word of a shell. One with characters that can't be seen is written as bash and zsh read it.
func quoted(text string) string {
	if !utf8.ValidString(text) || strings.ContainsFunc(text, isInvisible) {
		var b strings.Builder
		b.WriteString("$'")
		for at := 0; at < len(text); {
			r, size := utf8.DecodeRuneInString(text[at:])
			switch {
			case r == utf8.RuneError && size == 1, isInvisible(r):
				for _, c := range []byte(text[at : at+size]) {
					fmt.Fprintf(&b, `\x%02x`, c)
				}
			case r == '\'' || r == '\\':
				b.WriteString(`\` + string(r))
			default:
				b.WriteRune(r)
			}
			at += size
		}
		return b.String() + "'"
	}
	isPlain := text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=-+,@%") == ""
	if isPlain && text[0] != '-' && text[0] != '=' {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
