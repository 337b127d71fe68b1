package fetch_test

import (
	"bytes"
	"context"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/fetch"
)

func fileURI(name string) string { return (&url.URL{Scheme: "file", Path: name}).String() }

func TestFilesAreReadWhereThatIsAllowed(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a ä%.nt")
	if err := os.WriteFile(name, []byte("data"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := open()
	if _, _, err := get(t, o, fileURI(name)); fault.CodeOf(err) != fault.TransportUnsupportedScheme || fault.KindOf(err) != fault.Refused {
		t.Errorf("not allowed: %v", err)
	}
	o.AllowFile = true
	r, body, err := get(t, o, fileURI(name)+"#x")
	if err != nil || body != "data" || r.Bytes != 4 || r.FinalURI != fileURI(name) || len(r.Exchanges) != 1 {
		t.Fatalf("%q %+v %v", body, r, err)
	}
	e := r.Exchanges[0]
	if e.Status != 0 || e.Error != "" || e.Headers["content-length"][0] != "4" || e.Headers["last-modified"] == nil || e.Version != nil {
		t.Errorf("%+v", e)
	}
	known := &fetch.Validators{URI: r.FinalURI, ETag: e.Headers["etag"][0]}
	again := func() (*fetch.Result, string) {
		f := fetch.New(o)
		defer f.Close()
		got := bytes.NewBufferString("")
		r, err := f.Do(context.Background(), fetch.Request{URI: fileURI(name), Known: known}, got)
		if err != nil {
			t.Fatal(err)
		}
		return r, got.String()
	}
	if r, body := again(); !r.NotModified || body != "" {
		t.Errorf("the same: %+v %q", r, body)
	}
	// Of the same size, within the same second.
	if err := os.WriteFile(name, []byte("Data"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(name, time.Time{}, time.Now().Add(time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if r, body := again(); r.NotModified || body != "Data" {
		t.Errorf("another: %+v %q", r, body)
	}
	o.MaxBytes = 3
	if _, _, err := get(t, o, fileURI(name)); fault.CodeOf(err) != fault.LimitBytes {
		t.Errorf("too long: %v", err)
	}
}

func TestOnlyFilesAreReadAsFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no devices in the file system")
	}
	o := open()
	o.AllowFile = true
	dir := t.TempDir()
	if err := os.Symlink("/dev/zero", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for uri, want := range map[string]fault.Code{
		fileURI(dir):                        fault.LocalFile,
		fileURI(filepath.Join(dir, "none")): fault.LocalFile,
		fileURI(filepath.Join(dir, "link")): fault.LocalFile,
		"file:///dev/zero":                  fault.LocalFile,
		"file://example.org/etc/passwd":     fault.HTTPBadURI,
		"file:relative":                     fault.HTTPBadURI,
		"file:///a%00b":                     fault.HTTPBadURI,
	} {
		_, body, err := get(t, o, uri)
		if fault.CodeOf(err) != want || fault.KindOf(err) != fault.Refused || body != "" || strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %q %v", uri, body, err)
		}
	}
}

func TestNoServerLeadsToAFile(t *testing.T) {
	o := open()
	o.AllowFile = true
	for _, target := range []string{"file:///etc/passwd", "FILE:/etc/passwd"} {
		if _, body, err := get(t, o, redirectTo(t, target)); fault.CodeOf(err) != fault.TransportUnsupportedScheme || body != "" {
			t.Errorf("%q %v", body, err)
		}
	}
}
