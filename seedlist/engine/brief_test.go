package engine

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// part is the part of a record that the feed gives of numbered seeds.
func part(c seedlist.Stored) seedlist.Stored {
	t := seedlist.Stored{Hash: c.Hash, URI: c.URI, Record: seedlist.Record{
		Processed: c.Processed, Retrieved: c.Retrieved, Document: c.Document, Added: c.Added, Turns: c.Turns,
		Made:   seedlist.Made{Records: c.Records, Articles: c.Articles},
		Source: c.Source, Archive: c.Archive, Parent: c.Parent,
		Format: c.Format, Error: c.Error, Washer: c.Washer,
	}}
	if len(c.Notices) > 0 {
		t.Notices = c.Notices
	}
	if c.Content != nil {
		t.Content = &digest.Content{NumberOfBytes: c.Content.NumberOfBytes}
	}
	if c.Encoding != nil {
		t.Encoding = &seedlist.Encoding{Presumed: c.Encoding.Presumed, Chosen: c.Encoding.Chosen}
	}
	if c.Statements != nil {
		n := *c.Statements
		n.Duplicates = 0
		t.Statements = &n
	}
	for _, one := range c.HTTP {
		t.HTTP = append(t.HTTP, seedlist.Exchange{Status: one.Status, Robots: one.Robots})
	}
	for _, v := range c.History {
		t.History = append(t.History, seedlist.Version{Washed: v.Washed, Clean: v.Clean, Written: v.Written, Read: v.Read,
			Repaired: v.Repaired, Dropped: v.Dropped, Changes: v.Changes})
	}
	for name := range told["claims"] {
		if value, ok := c.Claims[name]; ok {
			if t.Claims == nil {
				t.Claims = map[string]string{}
			}
			t.Claims[name] = value
		}
	}
	return t
}

// FuzzABriefRecordIsAPartOfTheWhole holds the short way against the whole decoding: of any record as it is
// stored, and of any text that the short way takes.
func FuzzABriefRecordIsAPartOfTheWhole(f *testing.F) {
	whole := seedlist.Stored{Hash: "00", URI: "http://example.org/\"a\"\\", Record: seedlist.Record{
		Added: time.Unix(1, 0).UTC(), Processed: time.Unix(1e9, 5).UTC(), Source: "a \u2028 \x01 <&>", Title: "}],{[\"\\\\\"",
		HTTP:    []seedlist.Exchange{{URI: "http://example.org/", Headers: map[string][]string{"a\"b": {"}", "\\"}}, Walltime: 0.5}},
		Content: &digest.Content{MD5: "00", SHA256: "11", NumberOfBytes: 1 << 60}, Text: &digest.Text{NumberOfBytes: 7},
		Archive: &seedlist.Archive{Format: "zip", Entry: "a", EntryBytes: []byte{255}, Filters: []string{"gzip"}}, Parent: "22",
		Encoding: &seedlist.Encoding{Presumed: "utf-8", Chosen: "big5", Evidence: []seedlist.Evidence{{From: "a", Value: "utf-8"}}},
		Format:   "Turtle", Statements: &digest.Statements{Read: 3, Dropped: 2, Written: 1}, Sources: map[string]int64{"RDFa": 1},
		Notices: map[fault.Code]int64{"iri/space": 3, "odd\"code": 1}, Error: &seedlist.Error{Stage: seedlist.Parsing, Code: "iri/space",
			Message: "{\""},
		Washer: "1", History: []seedlist.Version{{MD5: "33"}, {MD5: "4", Washed: time.Unix(1e9, 0).UTC(), Clean: "5",
			Written: new(int64(3)), Read: 7, Repaired: 1, Dropped: 2, Changes: &seedlist.Changes{From: "]},{"}}},
		Claims: map[string]string{"publisher": "A \"B\" }", "license": "CC0", "size": "3"}, Document: "66",
		Made: seedlist.Made{Records: &digest.Records{Read: 3}, Articles: &digest.Articles{Read: 1}}, Retrieved: time.Unix(2e9, 0).UTC(),
	}}
	for _, c := range []seedlist.Stored{whole, {}, {Hash: "00"}, {Record: seedlist.Record{Notices: map[fault.Code]int64{"a": 1}}}} {
		data, err := c.Encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	for _, text := range []string{
		"", "{", "{}", "{},", "null", "[]", `{"hash":"a"`, `{"hash":"a",}`, `{"hash":1}`, `{"hash":"a"}}`, `{"content":null}`,
		`{"statements":{"read":-1}}`,
		`{"content":{"number_of_bytes":99999999999999999999}}`, `{"content":{"number_of_bytes":1.5}}`, `{"a":[1,{"b":"}"}],"uri":"x"}`,
		`{"a":tru,"uri":"x"}`,
		`{"notices":{}}`, `{"notices":[]}`, `{"processed":"x"}`, `{ "hash" : "a" }`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var c seedlist.Stored
		if json.Unmarshal([]byte(text), &c) != nil {
			take(briefly, reflect.ValueOf(new(seedlist.Stored)).Elem(), []byte(text)) // ends, whatever it is
			return
		}
		stored, err := c.Encode()
		if err != nil {
			return
		}
		c = seedlist.Stored{}
		if err := json.Unmarshal(stored, &c); err != nil {
			t.Fatal(err)
		}
		got, err := brief(stored)
		if err != nil {
			t.Fatalf("%s: %v", stored, err)
		}
		if got, want := part(got), part(c); !reflect.DeepEqual(got, want) {
			t.Fatalf("%s is\n%+v, told\n%+v", stored, want, got)
		}
	})
}

// What a store writes must take the short way, or that is worth nothing.
func TestARecordOfADocumentIsReadTheShortWay(t *testing.T) {
	c := seedlist.Stored{Hash: "00", URI: "http://example.org/?a=b&c=<d>", Record: seedlist.Record{
		Added: time.Now(), Processed: time.Now(), Source: "a\nb", Content: &digest.Content{MD5: "00", NumberOfBytes: 12},
		HTTP:     []seedlist.Exchange{{URI: "http://example.org/", Headers: map[string][]string{"etag": {`"a"`}}}},
		Encoding: &seedlist.Encoding{Presumed: "utf-8"}, Format: "Turtle", Statements: &digest.Statements{Read: 3},
		Notices: map[fault.Code]int64{"iri/space": 3}, Washer: "1", Error: &seedlist.Error{Code: "http/status", Message: "404"},
	}}
	data, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	var got seedlist.Stored
	if !take(briefly, reflect.ValueOf(&got).Elem(), data) || !reflect.DeepEqual(part(got), part(c)) {
		t.Errorf("%s is read as %+v", data, got)
	}
	if take(briefly, reflect.ValueOf(&got).Elem(), []byte(strings.Replace(string(data), ":", ": ", 1))) {
		t.Error("a text that no store writes is taken")
	}
}
