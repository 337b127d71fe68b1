package pages

import (
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"laundromat/seedlist"
	"laundromat/web"
	"laundromat/web/metadata"
)

// describe is what the page says of a document to programs.
func (s *site) describe(r *http.Request, document seedlist.Seed) (*describedAs, error) {
	described, err := web.Datasets{Reader: s.read}.Described(r.Context(), document, false)
	if err != nil {
		return nil, err
	}
	about := &describedAs{ID: "/id/" + document.Hash}
	if metadata.IsDataset(&document) {
		schema := metadata.Site{Base: web.BaseOf(r), Version: s.read.Version()}.SchemaOrg(&described)
		if about.Schema, err = inScript(schema); err != nil {
			return nil, err
		}
	}
	return about, nil
}

// inScript is a value as JSON that can stand in an element of HTML: nothing in it ends that, and what can't be seen is
// escaped.
func inScript(value any) (template.JS, error) {
	text, err := json.Marshal(value) // which escapes < and > and &
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, r := range string(text) {
		if r >= utf8.RuneSelf && isInvisible(r) {
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04x`, unit)
			}
			continue
		}
		b.WriteRune(r)
	}
	return template.JS(b.String()), nil
}
