package recordtables_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"laundromat/internal/files"
	"laundromat/records"
	"laundromat/seedlist"
	"laundromat/states/recordtables"
)

// shelf has documents of a recipe, and the files of their records.
type shelf struct {
	seeds []seedlist.Seed
	files map[string][]byte
}

type blob struct{ *bytes.Reader }

func (blob) Close() error       { return nil }
func (b blob) Size() int64      { return b.Reader.Size() }
func (blob) ModTime() time.Time { return time.Time{} }

func (s *shelf) Open(key string, suffix files.Suffix) (files.Blob, error) {
	text, ok := s.files[key+string(suffix)]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return blob{bytes.NewReader(text)}, nil
}

func (s *shelf) Size(key string, suffix files.Suffix) (int64, error) {
	return int64(len(s.files[key+string(suffix)])), nil
}

func (s *shelf) Record(_ context.Context, hash string) (seedlist.Seed, error) {
	for _, seed := range s.seeds {
		if seed.Hash == hash {
			return seed, nil
		}
	}
	return seedlist.Seed{}, seedlist.ErrNotFound
}

// put adds a document with lines of records, and with a schema unless that is "".
func (s *shelf) put(uri string, page *seedlist.RecipePage, lines, schema string) {
	seed := seedlist.Seed{}
	seed.Hash, seed.URI, seed.Page = seedlist.Key(uri), uri, page
	seed.Recipe = &seedlist.RecipeUse{Name: "r", SHA256: "form"}
	if page != nil {
		seed.Source = seedlist.RecipeSource + "r"
	}
	p := seedlist.Product{Name: seedlist.ProductRecords, Fence: 1}
	if lines != "" {
		sum := sha256.Sum256([]byte(lines))
		p.SHA256 = hex.EncodeToString(sum[:])
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		w.Write([]byte(lines))
		w.Close()
		s.files[files.Key(seed.Hash, 1)+string(files.Records)] = packed.Bytes()
	}
	if schema != "" {
		p.Schema = "schema"
		s.files[files.Key(seed.Hash, 1)+string(files.Schema)] = []byte(schema)
	}
	seed.Products = []seedlist.Product{p}
	s.seeds = append(s.seeds, seed)
}

func (s *shelf) table() *recordtables.Table {
	return &recordtables.Table{Recipe: "r", Seeds: s, Files: s,
		Name: func(_ context.Context, seed *seedlist.Seed) string { return seed.URI },
		Documents: func(_ context.Context, visit func(*seedlist.Seed) error) error {
			for i := range s.seeds {
				if err := visit(&s.seeds[i]); err != nil {
					return err
				}
			}
			return nil
		}}
}

// Each record of each document is a row or a part of one, what can't be read is told, and the sums say so.
func TestEveryRecordOfATableIsAccountedFor(t *testing.T) {
	s := &shelf{files: map[string][]byte{}}
	detail := &seedlist.RecipePage{Links: 1, Detail: true}
	const base = "http://a.example/"
	long := strings.Repeat(`{"t":"long","x":"`+strings.Repeat("x", 100)+`"}`+"\n", 20_000) // more than is held
	s.put(base+"list", nil, `{"t":"one","_line":2,"_detail":"`+base+`1"}`+"\n"+`{"t":"two","_detail":"`+base+`2"}`+"\n"+
		`{"t":"three","_detail":"`+base+`nowhere"}`+"\n"+`{"t":"four","_detail":"`+base+`1"}`+"\n"+
		`{"t":"five","_detail":"`+base+`bad"}`+"\n"+
		`{"t":"six","_detail":"`+base+`many"}`+"\n", "")
	s.put(base+"1", detail, `{"t":"ONE","p":"here","was":{"p":{"value":"HERE","rule":"lower"}}}`+"\n", "")
	s.put(base+"2", detail, `{"p":"there"}`+"\n", "")
	s.put(base+"alone", detail, `{"p":"nobody names it"}`+"\n", "")
	s.put(base+"bad", detail, `{"p":"lost"}`+"\n", "")
	s.put(base+"many", detail, `{"p":"a"}`+"\n"+`{"p":"b"}`+"\n", "")
	s.put(base+"none", nil, "", "")
	s.put(base+"empty", detail, "", "")
	s.put(base+"damaged", nil, `{"t":"damaged"}`+"\n", "")
	s.put(base+"long", nil, long, "")
	for _, name := range []string{"bad", "damaged"} {
		key := files.Key(seedlist.Key(base+name), 1) + string(files.Records)
		s.files[key] = s.files[key][:len(s.files[key])-9]
	}
	delete(s.files, files.Key(seedlist.Key(base+"2"), 1)+string(files.Records))
	table, rows, longRows, unread := s.table(), []string(nil), 0, map[string]string{}
	table.Places = true
	table.Unread = func(u recordtables.Unread) error {
		if unread[u.Name] != "" {
			t.Errorf("%s is told twice", u.Name)
		}
		unread[u.Name] = u.Problem
		return nil
	}
	sums, err := table.Read(t.Context(), func(r *records.Record) error {
		if line := string(r.AppendJSON(nil)); strings.HasPrefix(line, `{"t":"long"`) {
			longRows++
		} else {
			rows = append(rows, strings.ReplaceAll(line, base, ""))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(rows, "\n")
	for _, want := range []string{
		`{"t":"one","p":"here","_source":"list","_line":2,"_detail":"1","was":{"p":{"value":"HERE","rule":"lower"}}}`,
		`{"t":"two","_source":"list","_detail":"2"}`,
		`{"t":"three","_source":"list","_detail":"nowhere"}`,
		`{"t":"four","p":"here","_source":"list","_detail":"1","was":{"p":{"value":"HERE","rule":"lower"}}}`,
		`{"t":"five","_source":"list","_detail":"bad"}`,
		`{"p":"nobody names it","_source":"alone"}`,
		`{"p":"a","_source":"many"}`, `{"p":"b","_source":"many"}`,
	} {
		if strings.Count(got, want) != 1 {
			t.Errorf("%s is there %d times", want, strings.Count(got, want))
		}
	}
	want := recordtables.TableSums{Documents: 10, Read: 5, Without: 2, Unread: 3, Records: 6 + 1 + 1 + 2 + 20_000, Joined: 1,
		Rows: 6 + 1 + 2 + 20_000, Waiting: 4}
	if sums != want || longRows != 20_000 || len(rows) != 9 {
		t.Errorf("%+v, %d rows\nwant %+v\n%s", sums, len(rows), want, got)
	}
	if len(unread) != 3 || unread[base+"bad"] == "" || unread[base+"damaged"] == "" || unread[base+"2"] == "" {
		t.Errorf("what can't be read: %v", unread)
	}
	if sums.Documents != sums.Read+sums.Without+sums.Unread || sums.Records != sums.Rows+sums.Joined {
		t.Errorf("the sums do not add up: %+v", sums)
	}
}

// A field has the type that the schemas of all documents give it, and else any.
func TestTheSchemaOfATableIsThatOfAllDocuments(t *testing.T) {
	s := &shelf{files: map[string][]byte{}}
	field := func(name, kind string) string {
		return fmt.Sprintf(`{"name":%q,"type":%q,"inferred":{"values":1}}`, name, kind)
	}
	for i, fields := range [][]string{
		{field("same", "date"), field("number", "integer"), field("other", "boolean")},
		{field("number", "number"), field("same", "date"), field("other", "string"), field("late", "integer")},
	} {
		s.put(fmt.Sprint("http://a.example/", i), nil, "{}\n", `{"fields":[`+strings.Join(fields, ",")+`]}`)
	}
	s.put("http://a.example/none", nil, "{}\n", "")
	got, err := s.table().Schema(t.Context())
	const want = `{"fields":[{"name":"same","type":"date"},{"name":"number","type":"number"},{"name":"other","type":"any"},` +
		`{"name":"late","type":"integer"}],"missingValues":[""]}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v\nwant %s", got, err, want)
	}
}
