package catalog_test

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"laundromat/seedlist/catalog"
)

// named is a catalog, and what has to come of it.
type named struct {
	name        string
	at          string // its URI; that of a file of no known type if absent
	contentType string
	link        string // its Link header
	text        string
	more        map[string]string // further pages by their URIs
	kind        catalog.Kind      // that it is taken for; not looked at if absent
	want        string            // the documents, in any order, between spaces; all of them
	asked       string            // pages that are asked for besides, between spaces; all that are there
	refused     []catalog.Reason  // that are told, each at least once
	not         []catalog.Reason  // that are not
	fails       bool
}

func (n *named) check(t *testing.T) {
	t.Helper()
	at := n.at
	if at == "" {
		at = "http://site.example/catalog"
	}
	var asked []string
	fetch := func(ctx context.Context, uri string) (catalog.Document, io.Closer, error) {
		if uri == at {
			var links []string
			if n.link != "" {
				links = []string{n.link}
			}
			return catalog.Document{URI: uri, ContentType: n.contentType, Links: links, Text: strings.NewReader(n.text)}, io.NopCloser(nil),
				nil
		}
		text, ok := n.more[uri]
		if !ok {
			return catalog.Document{}, nil, errMissing
		}
		asked = append(asked, uri)
		return catalog.Document{URI: uri, Text: strings.NewReader(text)}, io.NopCloser(nil), nil
	}
	var out tally
	result, err := catalog.Harvest(t.Context(), at, catalog.Options{}, fetch, &out)
	if (err != nil) != n.fails {
		t.Errorf("error %v", err)
	}
	if n.kind != "" && result.Kind != n.kind {
		t.Errorf("taken for %s, want %s", result.Kind, n.kind)
	}
	var got []string
	for _, e := range out.entries {
		got = append(got, e.URI)
	}
	want := strings.Fields(n.want)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("named %q, want %q; refused %q", got, want, out.refused)
	}
	wantAsked := strings.Fields(n.asked)
	slices.Sort(asked)
	slices.Sort(wantAsked)
	if !slices.Equal(asked, wantAsked) {
		t.Errorf("asked for %q, want %q", asked, wantAsked)
	}
	for _, reason := range n.refused {
		if result.Refused[reason] == 0 {
			t.Errorf("nothing told of %s: %q", reason, out.refused)
		}
	}
	for _, reason := range n.not {
		if result.Refused[reason] > 0 {
			t.Errorf("told of %s: %q", reason, out.refused)
		}
	}
}

func checkAll(t *testing.T, all []named) {
	t.Helper()
	for i := range all {
		t.Run(all[i].name, all[i].check)
	}
}
