package catalog_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"testing/iotest"

	"github.com/rogpeppe/go-internal/txtar"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/seedlist/catalog"
)

// fuzzed keeps what a page gives, pages too.
type fuzzed struct {
	tally
	pages []catalog.Page
}

func (f *fuzzed) Page(p catalog.Page) { f.pages = append(f.pages, p) }

// FuzzCatalog checks that any page, read as any kind, gives only documents that can be seeds and only
// errors that say whose trouble it is. It gives the same again where the text comes in small pieces.
func FuzzCatalog(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "pages", "*.txtar"))
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	kinds := append([]catalog.Kind{catalog.Any}, catalog.Kinds()...)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, page := range txtar.Parse(data).Files {
			f.Add(uint8(0), page.Data)
		}
	}
	for i := range kinds {
		f.Add(uint8(i), []byte("<a href='x.nt'>x</a>\nhttp://example.org/\n{\"a\": [1]}"))
	}
	f.Fuzz(func(t *testing.T, kind uint8, page []byte) {
		if len(page) > 64<<10 {
			t.Skip()
		}
		read := func(text io.Reader) (*fuzzed, catalog.Kind, error) {
			out := &fuzzed{}
			found, err := catalog.Read(context.Background(), catalog.Document{URI: "http://catalog.example/folder/page?x=1", Text: text,
				Links: []string{string(page[:min(len(page), 100)])}},
				catalog.Options{Kind: kinds[int(kind)%len(kinds)], MaxMemory: 8 << 20}, out)
			return out, found, err
		}
		whole, found, err := read(bytesReader(page))
		if err != nil && fault.KindOf(err) != fault.Data && fault.KindOf(err) != fault.Limit {
			t.Fatalf("%s: an error of kind %s: %v", found, fault.KindOf(err), err)
		}
		for _, e := range whole.entries {
			u, err := seedlist.ParseURI(e.URI)
			if err != nil || u.Relative || u.Given != e.URI {
				t.Fatalf("%s: %q isn't a seed: %v", found, e.URI, err)
			}
			for name, value := range e.Claims {
				if value == "" || len(value) > 1100 {
					t.Fatalf("%s: claim %s is %q", found, name, value)
				}
			}
			catalog.Differences(e.Claims, catalog.Found{Bytes: 1, Written: 1, ContentType: "text/turtle",
				LastModified: "Mon, 06 May 2024 07:08:09 GMT", Format: "Turtle"})
		}
		for _, p := range whole.pages {
			if u, err := seedlist.ParseURI(p.URI); err != nil || u.Relative {
				t.Fatalf("%s: %q isn't a page: %v", found, p.URI, err)
			}
		}
		pieces, again, errAgain := read(iotest.OneByteReader(bytesReader(page)))
		if found != again || (err == nil) != (errAgain == nil) || !reflect.DeepEqual(whole, pieces) {
			t.Fatalf("in pieces it is %s, %v, %+v\nwhole %s, %v, %+v", again, errAgain, pieces, found, err, whole)
		}
	})
}

// bytesReader is a reader that can nothing but read.
func bytesReader(data []byte) io.Reader { return &plainReader{data} }

type plainReader struct{ data []byte }

func (r *plainReader) Read(p []byte) (int, error) {
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.data)
	r.data = r.data[n:]
	return n, nil
}
