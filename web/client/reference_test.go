package client

import (
	"io"
	"net/http"
	"path"
	"strings"
	"testing"

	"laundromat/seedlist"
)

// knownSeeds answers for the seeds of a store as the API does.
type knownSeeds map[string]bool

func (k knownSeeds) RoundTrip(r *http.Request) (*http.Response, error) {
	status := http.StatusNotFound
	if k[path.Base(r.URL.Path)] {
		status = http.StatusOK
	}
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader("{}")), Request: r}, nil
}

func TestAnEntryIsFoundByItsShownNameAndByItsBytes(t *testing.T) {
	const uri = "http://example.org/names.zip"
	zip := seedlist.Key(uri)
	key := func(parent string, names ...string) string {
		for _, name := range names {
			parent = seedlist.ChildKey(parent, name, 1)
		}
		return parent
	}
	for _, c := range []struct {
		ref   string
		names []string // as they are in the archive, of the one that is there
	}{
		{uri, nil},
		{uri + "!/plain.nt", []string{"plain.nt"}},
		{uri + "!/not there.nt", []string{"not there.nt"}},
		{zip + "!/plain.nt", []string{"plain.nt"}},
		{uri + "!/café.nt", []string{"caf\x82.nt"}},                           // code page 437
		{uri + "!/café.nt", []string{"caf\xe9.nt"}},                           // windows-1252
		{uri + "!/café.nt", []string{"café.nt"}},                              // UTF-8
		{uri + "!/данные.nt", []string{"\xa4\xa0\xad\xad\xeb\xa5.nt"}},        // code page 866
		{uri + "!/東京.nt", []string{"\x93\x8c\x8b\x9e.nt"}},                    // Shift_JIS
		{uri + "!/中国.nt", []string{"\xd6\xd0\xb9\xfa.nt"}},                    // GBK
		{uri + `!/caf\xE9.nt`, []string{"caf\xe9.nt"}},                        // as bytes are shown
		{uri + `!/caf\xE9.nt`, []string{`caf\xE9.nt`}},                        // that is its name
		{uri + `!/100\x.nt`, []string{`100\x.nt`}},                            // no byte
		{uri + "!/été.zip!/café.nt", []string{"\x82t\x82.zip", "caf\x82.nt"}}, // in each other
		{uri + "!/a.zip!/café.zip!/b.nt", []string{"a.zip", "caf\x82.zip", "b.nt"}},
	} {
		known := knownSeeds{}
		for i := range len(c.names) + 1 {
			known[key(zip, c.names[:i]...)] = true
		}
		client := &Client{http: &http.Client{Transport: known}}
		got, err := client.HashOf(t.Context(), c.ref)
		if want := key(zip, c.names...); err != nil || got != want {
			t.Errorf("%s: %s, want that of %q; error %v", c.ref, got, c.names, err)
		}
	}
}
