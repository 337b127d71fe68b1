package states_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"
	"testing"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/report"
	"laundromat/states"
)

// reading is what a TextReader made of an input.
type reading struct {
	texts     []string
	documents []*report.Document
}

// readTexts reads bytes as a file of that name.
func readTexts(t *testing.T, name string, in []byte, read func(*states.Text) error) (reading, error) {
	t.Helper()
	var r reading
	reader := &states.TextReader{
		Each: func(d *report.Document) { r.documents = append(r.documents, d) },
		Read: func(ctx context.Context, x *states.Text) error {
			if x.Text == nil {
				raw, err := x.Raw(ctx)
				if err != nil {
					return err
				}
				defer raw.Close()
				r.texts = append(r.texts, fmt.Sprintf("%s: %d bytes", x.Name, raw.Size()))
				return nil
			}
			text, err := io.ReadAll(x.Text)
			r.texts = append(r.texts, x.Name+": "+string(text))
			if err == nil && read != nil {
				err = read(x)
			}
			return err
		},
	}
	reader.Temp = t.TempDir()
	err := reader.Input(context.Background(), states.Input{Name: name, FileName: name, Source: bytes.NewReader(in)})
	return r, err
}

// zipOf is a zip of pairs of a name and a body.
func zipOf(t *testing.T, pairs ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(pairs); i += 2 {
		entry, err := w.Create(pairs[i])
		if err == nil {
			_, err = io.WriteString(entry, pairs[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func gzipped(t *testing.T, body []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(body)
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestTextsAreUnpackedAndDecoded(t *testing.T) {
	book := zipOf(t, "xl/workbook.xml", "<workbook/>", "[Content_Types].xml", "<Types/>", "_rels/.rels", "<Relationships/>")
	for _, c := range []struct {
		name string
		in   []byte
		want []string
	}{
		{"a.csv", []byte("a,b\n"), []string{"a.csv: a,b\n"}},
		{"bom.csv", []byte("\xEF\xBB\xBFa,b\n"), []string{"bom.csv: a,b\n"}},
		{"latin.csv", []byte("name\nJ\xFCrgen und K\xE4the\n"), []string{"latin.csv: name\nJürgen und Käthe\n"}},
		{"utf16.csv", []byte("\xFF\xFEa\x00,\x00\xFC\x00\n\x00"), []string{"utf16.csv: a,ü\n"}},
		{"a.csv.gz", gzipped(t, []byte("a,b\n")), []string{"a.csv.gz: a,b\n"}},
		{"a.zip", zipOf(t, "x.csv", "x\n", "y.csv", "y\n"), []string{"a.zip!/x.csv: x\n", "a.zip!/y.csv: y\n"}},
		{"b.zip.gz", gzipped(t, zipOf(t, "x.csv", "x\n")), []string{"b.zip.gz!/x.csv: x\n"}},
		{"c.zip", zipOf(t, "in.zip", string(zipOf(t, "x.csv", "x\n"))), []string{"c.zip!/in.zip!/x.csv: x\n"}},
		{"book.xlsx", book, []string{fmt.Sprintf("book.xlsx: %d bytes", len(book))}},
		{"book.xlsx.gz", gzipped(t, book), []string{fmt.Sprintf("book.xlsx.gz: %d bytes", len(book))}},
		{"books.zip", zipOf(t, "book.xlsx", string(book)), []string{fmt.Sprintf("books.zip!/book.xlsx: %d bytes", len(book))}},
		{"empty.csv", nil, nil},
		{"blank.csv", []byte(" \n\n"), nil},
	} {
		got, err := readTexts(t, c.name, c.in, nil)
		if err != nil || !slices.Equal(got.texts, c.want) {
			t.Errorf("%s: %q, %v; want %q", c.name, got.texts, err, c.want)
		}
		for _, d := range got.documents {
			if d.Error != nil || d.Records == nil {
				t.Errorf("%s: %+v", c.name, d)
			}
		}
	}
}

func TestWhatIsLostInLayersIsARecordLost(t *testing.T) {
	cut := gzipped(t, []byte(strings.Repeat("some,row,of,a,table\n", 5000)))
	got, err := readTexts(t, "a.csv.gz", cut[:len(cut)-20], func(x *states.Text) error {
		x.Counts.Kept = 7
		return nil
	})
	want := records.Counts{Read: 8, Kept: 7, Dropped: 1, Written: 7}
	if err != nil || len(got.documents) != 1 || *got.documents[0].Records != want {
		t.Errorf("%+v, %v", got.documents[0].Records, err)
	}
}

func TestAnErrorIsTheDocumentsOrTheSinks(t *testing.T) {
	both := zipOf(t, "x.csv", "x\n", "y.csv", "y\n")
	got, err := readTexts(t, "a.zip", both, func(x *states.Text) error {
		x.Counts.Repaired = 2
		return fault.New("test", fault.Data, fault.RecordFormat, "no table")
	})
	if err != nil || len(got.documents) != 2 || got.documents[0].Error.Code != fault.RecordFormat ||
		got.documents[0].Records.Repaired != 2 {
		t.Errorf("%+v, %v", got.documents, err)
	}
	got, err = readTexts(t, "a.zip", both, func(*states.Text) error { panic("horrid") })
	if err != nil || len(got.documents) != 2 || got.documents[1].Error.Code != fault.BugPanic {
		t.Errorf("%+v, %v", got.documents, err)
	}
	got, err = readTexts(t, "a.zip", both, func(*states.Text) error { return &records.SinkError{Err: syscall.ENOSPC} })
	if !errors.Is(err, syscall.ENOSPC) || len(got.documents) != 0 {
		t.Errorf("%+v, %v", got.documents, err)
	}
}
