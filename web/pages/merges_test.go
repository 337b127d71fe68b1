package pages_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laundromat/records"
	"laundromat/records/database"
	"laundromat/seedlist"
	"laundromat/states/recordtables"
	"laundromat/web"
	"laundromat/web/pages"
)

// Merges are shown with their records and reasons, and a form undoes them for who may operate.
func TestMergesAreShownAndUndoneByAForm(t *testing.T) {
	db, err := database.Open(t.Context(), database.Address{File: filepath.Join(t.TempDir(), "r.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	row := func(key, name string) records.Value {
		object := func(fields ...records.Field) records.Value {
			return records.Value{Kind: records.Object, Fields: fields}
		}
		return object(records.Field{Name: "in", Value: records.TextOf("people")}, records.Field{Name: "key", Value: records.TextOf(key)},
			records.Field{Name: "source", Value: records.TextOf("http://one.example/" + key)},
			records.Field{Name: records.OriginalRecord, Value: object(records.Field{Name: "name", Value: records.TextOf(name)})})
	}
	merged := &records.Record{}
	merged.Set("name", records.TextOf("Ann <b>Lee</b>"))
	merged.Set(records.MergeField, records.Value{Kind: records.Object, Fields: []records.Field{{Name: records.MergedFrom,
		Value: records.Value{Kind: records.List, Items: []records.Value{row("k1", "Ann <b>Lee</b>"), row("k2", "Anne Lee")}}}}})
	err = db.Update(t.Context(), func(tx *database.Tx) error {
		err := tx.ReplaceMerges("people", database.Shape{}, time.Now(), func(put func(database.Merge) error) error {
			return put(database.Merge{Key: "k1", Record: merged, Pairs: `[{"a":"i1","b":"i2","score":0.93,"reason":"name <i>alike</i>"}]`,
				Members: []database.Member{{Table: "people", Key: "k1", ID: "i1"}, {Table: "people", Key: "k2", ID: "i2"}}})
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t)
	if _, err := s.seeds.PutRecipe(t.Context(), seedlist.Recipe{Name: "people", Body: []byte(`{"match":{"uri":"*"}}`)}, ""); err != nil {
		t.Fatal(err)
	}
	at := func(writable bool) *site {
		other := *s
		other.handler = web.New(web.Options{Seeds: s.seeds, Version: "1.0", Writable: writable,
			Daemon: web.DaemonOptions{Merges: func() (recordtables.Merges, error) { return recordtables.MergesIn(db), nil }},
			Pages: func(reader *web.Reader, otherwise http.Handler) http.Handler {
				return pages.New(reader, pages.Options{}, otherwise)
			}})
		return &other
	}
	const path = "/recipes/people/merges"
	reads, writes := at(false), at(true)
	get := func(s *site) string {
		request := httptest.NewRequest(http.MethodGet, path, nil)
		request.Header.Set("Accept", "text/html")
		reply := httptest.NewRecorder()
		s.handler.ServeHTTP(reply, request)
		return reply.Body.String()
	}
	text := get(reads)
	for _, want := range []string{"i1 and i2, 0.93", "Anne Lee", "http://one.example/k2", "recipe merges people --undo k1"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in %s", want, text)
		}
	}
	holdInert(t, path, parsed(t, []byte(text)))
	if reply := reads.send(path, urlencoded, "undo=k1"); reply.Code != http.StatusUnauthorized {
		t.Errorf("without a token: %d", reply.Code)
	}
	if reply := writes.send(path, urlencoded, "undo=nothing"); reply.Code != http.StatusNotFound {
		t.Errorf("a merge that is not there: %d", reply.Code)
	}
	if reply := writes.send(path, urlencoded, "undo=k1"); reply.Code != http.StatusSeeOther {
		t.Errorf("undone: %d %s", reply.Code, reply.Body)
	}
	text = get(writes)
	for _, want := range []string{"No merges", "k1: no two of 2 records are the same", "i1, i2", "k1 parted", `name="redo" value="k1"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in %s", want, text)
		}
	}
	if reply := writes.send(path, urlencoded, "redo=k2"); reply.Code != http.StatusNotFound {
		t.Errorf("taken back, and it was not undone: %d", reply.Code)
	}
	if reply := writes.send(path, urlencoded, "redo=k1"); reply.Code != http.StatusSeeOther {
		t.Errorf("taken back: %d %s", reply.Code, reply.Body)
	}
	if text = get(writes); strings.Contains(text, "no two of") {
		t.Errorf("it is there that the merge was undone: %s", text)
	}
	merges := recordtables.MergesIn(db)
	if err := merges.Say(t.Context(), "people", recordtables.Answer{A: "i2", B: "i1"}); err != nil {
		t.Fatal(err)
	}
	if text = get(writes); !strings.Contains(text, "i1 and i2 are not the same") {
		t.Errorf("the answer is missing in %s", text)
	}
	if reply := writes.send(path, urlencoded, url.Values{"a": {"i1"}, "b": {"i2"}}.Encode()); reply.Code != http.StatusSeeOther {
		t.Errorf("forgotten: %d %s", reply.Code, reply.Body)
	}
	if text = get(writes); strings.Contains(text, "are not the same<") {
		t.Errorf("the answer is there: %s", text)
	}
}
