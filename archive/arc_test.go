package archive_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"laundromat/archive"
)

// TestARCFilesAreRead: of both versions, packed or not, with what old crawlers wrote.
func TestARCFilesAreRead(t *testing.T) {
	const head = "filedesc://x.arc 0.0.0.0 20000101000000 text/plain 0\n\n"
	record := func(uri, fields, body string) string {
		return fmt.Sprintf("%s 127.0.0.1 20000101000001 %s %d\n%s\n", uri, fields, len(body), body)
	}
	const reply, page = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n", "<p>a"
	for _, row := range []struct{ name, data, want, codes string }{
		{"one", head + record("http://a.example/", "text/html", reply+page), "http://a.example/ text/html <p>a", ""},
		{"two", head + record("http://a.example/", "text/html", reply+page) + record("http://b.example/", "text/html", reply+"b"),
			"http://a.example/ text/html <p>a; http://b.example/ text/html b", ""},
		{"version 2", head + record("http://a.example/", "text/html 200 ABC - 0 x.arc", reply+page), "http://a.example/ text/html <p>a",
			""},
		{"no reply", head + record("dns:a.example", "text/dns", "20000101"), "dns:a.example text/dns 20000101", ""},
		{"no head", head + record("http://a.example/", "text/html", page), "http://a.example/ text/html <p>a", ""},
		{"a type of its own", head + record("http://a.example/", "text/plain", reply+page), "http://a.example/ text/html <p>a", ""},
		{"no type in the head", head + record("http://a.example/", "text/html", "HTTP/1.0 200 OK\r\n\r\n"+page),
			"http://a.example/ text/html <p>a", ""},
		{"a blank in the URL", head + record("http://a.example/a b", "text/html", reply+page), " text/html <p>a", ""},
		{"line ends of another system", strings.ReplaceAll(head, "\n", "\r\n") + record("http://a.example/", "text/html", reply+page),
			"http://a.example/ text/html <p>a", ""},
		{"nothing", head, "", ""},
		{"empty lines between", head + "\n\n" + record("http://a.example/", "text/html", reply+page) + "\n\n",
			"http://a.example/ text/html <p>a", ""},
		{"cut in a record", head + record("http://a.example/", "text/html", reply+page)[:100], "http://a.example/ text/html ",
			"drop archive/truncated 1"},
		{"a line that is none", head + "nonsense\n" + record("http://a.example/", "text/html", reply+page),
			"http://a.example/ text/html <p>a", "drop archive/corrupt 1"},
		{"redirected", head + record("http://a.example/", "text/html", "HTTP/1.0 301 Moved\r\nContent-Type: text/html\r\n\r\n"+page),
			"http://a.example/ text/html <p>a", ""},
	} {
		for _, data := range []string{row.data, gz(t, row.data)} {
			got := readAll(t, data, "", archive.Limits{})
			if got.format != "arc" || got.codes() != row.codes || got.err != nil {
				t.Errorf("%s: %q, %s, %v", row.name, got.format, got.codes(), got.err)
			}
		}
		if got := entriesOf(t, row.data); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

// entriesOf are the URLs, types and bytes of all entries.
func entriesOf(t *testing.T, data string) string {
	t.Helper()
	o, err := archive.Open(context.Background(), strings.NewReader(data), "", archive.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	err = o.Entries(context.Background(), func(e archive.Entry, r io.Reader) error {
		body, err := io.ReadAll(r)
		all = append(all, e.URI+" "+e.ContentType+" "+string(body))
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return strings.Join(all, "; ")
}
