package archive_test

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"laundromat/archive"
)

func TestRowsOfRecordsGiveTheirEntries(t *testing.T) {
	for name, data := range map[string]string{"cpio": cpioOf(two...), "ar": arOf(member{"one.nt", lines(3001)}, two[1])} {
		got := readAll(t, data, "", archive.Limits{})
		if got.format != name || len(got.entries) != 2 || got.entries[1] != two[1] || !got.times[0].Equal(day) || got.codes() != "" ||
			got.err != nil {
			t.Errorf("%s: format %q, %d entries, notices %v, error %v", name, got.format, len(got.entries), got.notices, got.err)
		}
	}
}

func TestPagesOfACrawlHaveTheirOwnURI(t *testing.T) {
	for name, data := range map[string]string{"warc": warcOf(crawled...), "arc": arcOf(crawled...),
		"crawl-lines": pageLinesOf(crawled...)} {
		o, err := archive.Open(context.Background(), strings.NewReader(data), "", archive.Limits{}, nil)
		if err != nil || o.Format != name {
			t.Fatalf("%s: format %q, error %v", name, o.Format, err)
		}
		var got []member
		err = o.Entries(context.Background(), func(e archive.Entry, r io.Reader) error {
			b, err := io.ReadAll(r)
			got = append(got, member{e.URI, string(b)})
			if name != "crawl-lines" && (e.Reply == nil || e.Reply.Status != 200 || e.ContentType != "text/turtle" ||
				!e.ModTime.Equal(day)) {
				t.Errorf("entry %+v, reply %+v", e, e.Reply)
			}
			if at := strings.Index(data, e.URI+"\t"); name == "crawl-lines" &&
				!strings.HasPrefix(e.Name, strings.TrimSpace(strings.Split(e.Name, " ")[0])+" "+e.URI) || at == 0 && e.Name != "0 "+e.URI {
				t.Errorf("name %q", e.Name)
			}
			return err
		})
		if err != nil || !slices.Equal(got, crawled) {
			t.Errorf("%s: %d entries, error %v", name, len(got), err)
		}
	}
}

func TestADamagedRecordCostsOnlyItself(t *testing.T) {
	three := []member{{"http://e.org/a", lines(3000)}, {"http://e.org/b", lines(3000)}, {"http://e.org/c", lines(3000)}}
	ar := arOf(member{"a", three[0].body}, member{"b", three[1].body}, member{"c", three[2].body})
	for _, c := range []struct{ name, data, mark string }{
		{"cpio", cpioOf(three...), "070701"},
		{"ar", ar, "`\n"},
		{"warc", warcOf(three...), "WARC/1.0"},
		{"crawl-lines", pageLinesOf(three...), "http://"},
	} {
		first := strings.Index(c.data, c.mark)
		second := strings.Index(c.data[first+100:], c.mark) + first + 100
		got := readAll(t, flip(c.data, second), "", archive.Limits{})
		if len(got.entries) != 2 || got.entries[0].body != three[0].body || got.entries[1].body != three[2].body ||
			got.codes() != "drop archive/corrupt 1" {
			t.Errorf("%s, broken header: %d entries, notices %v", c.name, len(got.entries), got.notices)
		}
		if c.name == "crawl-lines" {
			continue
		}
		got = readAll(t, c.data[:second+1000], "", archive.Limits{})
		if len(got.entries) != 2 || got.codes() != "drop archive/truncated 1" {
			t.Errorf("%s, cut: %d entries, notices %v", c.name, len(got.entries), got.notices)
		}
	}
}

func TestChunksThatBreakOffCostWhatFollows(t *testing.T) {
	body := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\nmore"
	data := "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://e.org/\r\nContent-Type: application/http\r\nContent-Length: " +
		"65\r\n\r\n" + body + "\r\n\r\n"
	if len(body) != 65 {
		t.Fatalf("the sample has %d bytes", len(body))
	}
	got := readAll(t, data, "", archive.Limits{})
	if len(got.entries) != 1 || got.entries[0].body != "hello" || got.codes() != "drop archive/corrupt 1" {
		t.Errorf("%v, notices %v", got.entries, got.notices)
	}
}
