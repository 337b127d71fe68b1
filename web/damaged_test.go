package web_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/views"
	"laundromat/web"
)

// TestListsOfViewsTellOfRecordsThatCantBeRead damages a record on the disk, after the views were made or before.
func TestListsOfViewsTellOfRecordsThatCantBeRead(t *testing.T) {
	const uri = "http://h1.example/1?a=1&b=2"
	for _, knew := range []bool{true, false} {
		folder := t.TempDir()
		path := filepath.Join(folder, "seeds.db")
		open := func() *bolt.Store {
			store, err := bolt.Open(path, seedlist.Options{HostDelay: -1, HostConnections: 100})
			if err != nil {
				t.Fatal(err)
			}
			return store
		}
		look := func(store *bolt.Store) *views.Views {
			v, err := views.Open(filepath.Join(folder, "views.db"), store, nil, func(err error) { t.Error(err) })
			if err != nil {
				t.Fatal(err)
			}
			revision, err := store.Revision(t.Context())
			if err == nil {
				err = v.Wait(t.Context(), revision)
			}
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		before := &house{t: t, seeds: open()}
		before.populate()
		if knew {
			look(before.seeds).Close()
		}
		before.seeds.Close()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data = bytes.ReplaceAll(data, []byte(`"uri":"`+uri+`"`), []byte(`"Uri":"`+uri+`"`))
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		store := open()
		v := look(store)
		h := newHouse(t, false, func(h *house, o *web.Options) { h.seeds, o.Seeds, o.Views = store, store, v })
		for query, isTold := range map[string]bool{
			"host=h1.example&limit=3": true, "sort=-size": true, "encoding=utf-8": true, "host=h2.example": !knew,
			"host=nowhere.example": !knew,
		} {
			reply, text := h.ask("GET", "/api/v1/seeds?"+query, "")
			var page web.SeedPage
			if err := json.Unmarshal([]byte(text), &page); err != nil || reply.StatusCode != 200 {
				t.Fatalf("%s: %s\n%s", query, reply.Status, text)
			}
			told := strings.Join(page.Damaged, "\n")
			if isTold && (len(page.Damaged) != 1 || !strings.Contains(told, seedlist.Key(uri)) || !strings.Contains(told, "checksum")) ||
				!isTold && told != "" {
				t.Errorf("the views knew it: %v; %s: told %q", knew, query, told)
			}
			for _, seed := range page.Seeds {
				if seed.Hash == seedlist.Key(uri) || seed.Hash == "" {
					t.Errorf("%s lists %+v", query, seed)
				}
			}
		}
		v.Close()
		store.Close()
	}
}
