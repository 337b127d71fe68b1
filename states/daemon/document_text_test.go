package daemon_test

import (
	"archive/tar"
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/states/daemon"
)

// The text of a document is the one in which the places of its notices are counted. The document may have come
// in any encoding, and behind a filter.
func TestTextIsTheOneThatNoticesCount(t *testing.T) {
	const text = "<http://example.org/é> <http://example.org/p> \"naïve Übung\" .\n<http://example.org/b c> <http://example.org/p> \"x\" .\n"
	latin, err := charmap.Windows1252.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	wide, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte("\ufeff" + text))
	z.Close()
	w := newWorld(t, seedlist.Options{})
	for path, c := range map[string]struct{ kind, body string }{
		"/plain.nt":     {"application/n-triples", text},
		"/latin.nt":     {"application/n-triples; charset=iso-8859-1", latin},
		"/wide.nt":      {"application/n-triples", wide},
		"/packed.nt.gz": {"application/gzip", packed.String()},
	} {
		w.serve(path, c.kind, c.body)
		w.add(path)
	}
	var archive bytes.Buffer
	long := strings.Repeat("<http://example.org/é> <http://example.org/p> \"naïve\" .\n", 3000)
	for name, body := range map[string]string{"plain.nt": long, "packed.nt.gz": packed.String()} {
		out := tar.NewWriter(&archive)
		out.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(body))})
		out.Write([]byte(body))
		out.Flush()
	}
	w.serve("/a.tar", "application/x-tar", archive.String())
	w.add("/a.tar")
	w.run()
	for name, want := range map[string]string{"plain.nt": long, "packed.nt.gz": text} {
		opened, err := daemon.OpenText(context.Background(), w.files, w.child("/a.tar", name), t.TempDir())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, err := io.ReadAll(opened); err != nil || string(got) != want {
			t.Errorf("%s: %v, %d bytes of %d", name, err, len(got), len(want))
		}
		opened.Close()
	}
	for _, path := range []string{"/plain.nt", "/latin.nt", "/wide.nt", "/packed.nt.gz"} {
		seed := w.seed(path)
		opened, err := daemon.OpenText(context.Background(), w.files, seed, t.TempDir())
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		got, err := io.ReadAll(opened)
		if err != nil || string(got) != text {
			t.Errorf("%s: %v, the text is %q", path, err, got)
		}
		opened.Close()
		found := false
		for _, n := range w.listed(seed) {
			if n.Code == "iri/space" {
				found = bytes.HasPrefix(got[n.Offset:], []byte("<http://example.org/b c>")) ||
					bytes.HasPrefix(got[n.Offset:], []byte(" c>"))
			}
		}
		if !found {
			t.Errorf("%s: the space is not where it was noted: %v", path, w.listed(seed))
		}
	}
	_, err = daemon.OpenText(context.Background(), w.files, seedlist.Seed{}, "")
	if fault.CodeOf(err) != fault.EncodingUnsupported {
		t.Errorf("a document that nobody read: %v", err)
	}
}
