package web_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/states/recordset"
	"laundromat/web"
)

// product brings a seed through its stages whose wash made one product, and writes the file and its schema.
func (h *house) product(uri, format, name, lines, schema string) seedlist.Seed {
	h.t.Helper()
	if _, err := h.seeds.Add(h.t.Context(), []seedlist.NewSeed{{URI: uri, Source: "test"}}); err != nil {
		h.t.Fatal(err)
	}
	hash := seedlist.Key(uri)
	for _, stage := range seedlist.Stages() {
		claims, err := h.seeds.Claim(h.t.Context(), stage, "test", 1)
		if err != nil || len(claims) != 1 {
			h.t.Fatal(claims, err)
		}
		outcome := seedlist.Outcome{Next: stage.Next()[0], Update: func(r *seedlist.Record) {
			r.Format = format
			r.Content = &digest.Content{NumberOfBytes: 1000, SHA256: "0"}
		}}
		if stage == seedlist.Parsing {
			fence := claims[0].Fence
			suffix := files.Records
			if name == seedlist.ProductArticles {
				suffix = files.Articles
			}
			h.put(files.Key(hash, fence), suffix, lines, true)
			bytes, written := int64(len(lines)), int64(strings.Count(lines, "\n"))
			p := seedlist.Product{Name: name, SHA256: sumOf(lines), Bytes: &bytes, Written: &written, Fence: fence}
			if schema != "" {
				h.put(files.Key(hash, fence), files.Schema, schema, false)
				p.Schema = sumOf(schema)
			}
			outcome.Products = []seedlist.Product{p}
		}
		if err := h.seeds.Complete(h.t.Context(), claims[0], outcome); err != nil {
			h.t.Fatal(err)
		}
	}
	seed, err := h.seeds.Seed(h.t.Context(), hash)
	if err != nil {
		h.t.Fatal(err)
	}
	return seed
}

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func (h *house) put(key string, suffix files.Suffix, text string, packed bool) {
	h.t.Helper()
	p, err := h.files.Create()
	if err != nil {
		h.t.Fatal(err)
	}
	if packed {
		z := gzip.NewWriter(p)
		z.Write([]byte(text))
		z.Close()
	} else {
		p.Write([]byte(text))
	}
	if err := p.Seal(key, suffix); err != nil {
		h.t.Fatal(err)
	}
	if err := h.files.Commit(h.t.Context(), p); err != nil {
		h.t.Fatal(err)
	}
}

const recordLines = `{"name":"Ann","age":"41","_line":2}
{"name":"Bob","age":"","_line":3}
{"name":"Ann","age":"7","_line":4}
`

const recordSchema = `{"fields":[{"name":"name","type":"string"},{"name":"age","type":"integer"}],"missingValues":[""]}`

const tableLines = `{"a":"1","_line":1,"_table":"one"}
{"b":"2","_line":2,"_table":"two"}
{"a":"3","_line":3,"_table":"one"}
`

const articleLines = `{"id":"i1","title":"One","text":"first text","attributes":{"links":[],"quotes":[]},"metadata":{}}
{"id":"i2","url":"http://example.org/2","text":"second","attributes":{"links":[[0,3,"http://example.org/"]],"quotes":[]},"metadata":{}}
`

// TestRecordsAndArticlesAreReadByTheirNumbers asks for parts of stored products.
func TestRecordsAndArticlesAreReadByTheirNumbers(t *testing.T) {
	h := newHouse(t, false)
	people := "/api/v1/seeds/" + h.product("http://example.org/people.csv", "CSV", "records", recordLines, recordSchema).Hash
	tables := "/api/v1/seeds/" + h.product("http://example.org/tables.html", "HTML", "records", tableLines, "").Hash
	news := "/api/v1/seeds/" + h.product("http://example.org/news.rss", "RSS", "articles", articleLines, "").Hash
	for _, c := range []struct {
		path   string
		status int
		wants  string // all of these, a space between
	}{
		{people + "/records/rows", 200, `"total":3 {"row":1,"values":{"name":"Ann","age":41},"line":2} {"row":2,"values":{"name":"Bob","age":null},"line":3}`},
		{people + "/records/rows?from=2&limit=1", 200, `"from":2,"rows":[{"row":2 "next":3`},
		{people + "/records/rows?from=4", 200, `"rows":[],"total":3`},
		{people + "/records/rows?from=0", 422, `from`},
		{people + "/records/rows?limit=1001", 422, `limit`},
		{people + "/records/rows?form=1", 400, `from`},
		{people + "/records/rows?places=true", 200, `"no_places":"the bytes`},
		{people + "/records/rows?table=x", 404, `x`},
		{tables + "/records/rows?table=one", 200, `"table":"one","from":1 {"row":1,"values":{"a":"1"},"line":1,"table":"one"} {"row":3`},
		{tables + "/records/rows?table=one&from=2", 200, `"from":2,"rows":[{"row":3`},
		{tables + "/records/columns", 200, `"tables":[{"name":"one","rows":2,"row":1},{"name":"two","rows":1,"row":2}] "name":"b"`},
		{tables + "/records/columns?table=two", 200, `"columns":[{"name":"b","type":"integer","values":1,"missing":0`},
		{people + "/records/columns", 200,
			`"rows":3,"total":3 {"name":"name","type":"string","values":3,"missing":0,"null_share":0,"distinct":2,"frequent":[{"value":"Ann","times":2}` +
				` "type":"integer","values":2,"missing":1,"null_share":0.333333`},
		{people + "/records?from=2&limit=1", 200, `{"name":"Bob","age":""}`},
		{people + "/records?as=csv&from=3", 200, "name,age Ann,7"},
		{people + "/records?as=json&from=3", 200, `"age":7`},
		{people + "/records?from=none", 422, "from"},
		{people + "/articles/rows", 404, "articles"},
		{news + "/articles/rows", 200, `"article":1,"id":"i1","title":"One","characters":10 "article":2,"id":"i2","url":"http://example.org/2" "links":1`},
		{news + "/articles/rows?from=2", 200, `"from":2,"articles":[{"article":2`},
		{news + "/articles/rows?limit=1", 200, `"next":2`},
		{news + "/articles?from=2&limit=1", 200, `{"id":"i2"`},
		{news + "/articles?as=text&from=2", 200, "second"},
		{news + "/records/rows", 404, "none are made of RSS"},
		{news + "/records/columns", 404, "none are made of RSS"},
		{"/api/v1/seeds/" + nowhere + "/records/rows", 404, nowhere},
		{"/api/v1/seeds/" + nowhere + "/articles/rows", 404, nowhere},
	} {
		reply, text := h.ask("GET", c.path, "")
		isThere := true
		for _, want := range strings.Split(c.wants, " ") {
			isThere = isThere && strings.Contains(text, want)
		}
		if reply.StatusCode != c.status || !isThere {
			t.Errorf("%s: %s %s\nwant %d %s", c.path, reply.Status, text, c.status, c.wants)
		}
	}
	reply, _ := h.ask("GET", tables+"/records/rows?table=one&limit=1&places=true", "")
	if link := reply.Header.Get("Link"); link != "<"+tables+`/records/rows?from=2&limit=1&places=true&table=one>; rel="next"` {
		t.Errorf("the next page is at %s", link)
	}
}

// TestAnAnswerHasNoMoreRowsThanItMay asks for rows that are long.
func TestAnAnswerHasNoMoreRowsThanItMay(t *testing.T) {
	h := newHouse(t, false)
	long := strings.Repeat(`{"a":"`+strings.Repeat("x", 1<<20)+"\"}\n", 9)
	path := "/api/v1/seeds/" + h.product("http://example.org/long.json", "JSON", "records", long, "").Hash + "/records/rows"
	seen := 0
	for from := int64(1); from > 0; {
		reply, text := h.ask("GET", fmt.Sprint(path, "?from=", from), "")
		var page web.RecordRows
		if err := json.Unmarshal([]byte(text), &page); err != nil || reply.StatusCode != 200 || len(page.Rows) == 0 || len(text) > 6<<20 {
			t.Fatalf("%s, %d bytes, %v", reply.Status, len(text), err)
		}
		seen += len(page.Rows)
		from = page.Next
	}
	if seen != 9 {
		t.Errorf("%d rows of 9 came", seen)
	}
}

// TestCellsHaveTheirPlaces asks where cells are. That this can't be known is told, and no error.
func TestCellsHaveTheirPlaces(t *testing.T) {
	at := func(line, column int64) []recordset.Placed {
		return []recordset.Placed{{Field: "name", Pos: fault.Pos{Line: line, Column: column}}}
	}
	for _, c := range []struct {
		name, format string
		found        [][]recordset.Placed
		err          error
		wants        string
	}{
		{"a text", "CSV", [][]recordset.Placed{at(3, 1), at(4, 2)}, nil,
			`"places":{"name":{"line":3,"column":1}} "places":{"name":{"line":4,"column":2}}`},
		{"fewer rows than there were", "CSV", [][]recordset.Placed{at(3, 1)}, nil, `"places":{"name":{"line":3,"column":1}}`},
		{"a workbook", "XLSX", [][]recordset.Placed{at(3, 28), at(4, 703)}, nil, `{"cell":"AB3"} {"cell":"AAA4"}`},
		{"a workbook in XML", "flat ODS", [][]recordset.Placed{at(3, 26), at(4, 1)}, nil, `{"cell":"Z3"} {"cell":"A4"}`},
		{"too far", "CSV", nil, fault.New("x", fault.Limit, fault.LimitMemory, "it is too far"), `"no_places":"it_is_too_far`},
		{"bytes that are gone", "CSV", nil, os.ErrNotExist, `"status":404`},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t, false, func(_ *house, o *web.Options) {
				o.Text = func(context.Context, seedlist.Seed) (io.ReadCloser, error) { return nil, os.ErrNotExist }
				o.CellPlaces = func(_ context.Context, _ seedlist.Seed, from, to, most int64) ([][]recordset.Placed, error) {
					if from != 2 || to != 3 || most <= 0 {
						t.Errorf("from %d to %d, at most %d", from, to, most)
					}
					return c.found, c.err
				}
			})
			seed := h.product("http://example.org/people.csv", c.format, "records", recordLines, recordSchema)
			_, text := h.ask("GET", "/api/v1/seeds/"+seed.Hash+"/records/rows?from=2&places=true", "")
			for _, want := range strings.Split(c.wants, " ") {
				if !strings.Contains(strings.ReplaceAll(text, " ", "_"), want) {
					t.Errorf("%s\nwant %s", text, want)
				}
			}
		})
	}
}

// TestEachPathThatIsDescribedIsInTheDocumentation holds the description of the API and its page to each other.
func TestEachPathThatIsDescribedIsInTheDocumentation(t *testing.T) {
	page, err := os.ReadFile("../docs/http-api.md")
	if err != nil {
		t.Fatal(err)
	}
	h := newHouse(t, false)
	_, text := h.ask("GET", "/openapi.json", "")
	var description struct{ Paths map[string]any }
	if err := json.Unmarshal([]byte(text), &description); err != nil || len(description.Paths) < 10 {
		t.Fatalf("%v: %.200s", err, text)
	}
	for path := range description.Paths {
		if !strings.Contains(string(page), path) {
			t.Errorf("docs/http-api.md says nothing of %s", path)
		}
	}
}
