package daemon_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"laundromat/seedlist"
	"laundromat/states/daemon"
)

// metadataOf describes tables whose cells are apart by a sign.
func metadataOf(delimiter string, urls ...string) string {
	var tables []string
	for _, url := range urls {
		tables = append(tables, fmt.Sprintf(`{"url": %q, "dialect": {"delimiter": %q}}`, url, delimiter))
	}
	return `{"@context": "http://www.w3.org/ns/csvw", "tables": [` + strings.Join(tables, ",") + `]}`
}

// tableWorld makes records and statements of tables, and counts what is asked for beside them.
func tableWorld(t *testing.T, way string, tables ...string) (w *world, asked func() map[string]int) {
	w = newWorld(t, seedlist.Options{})
	w.opt.Products, w.opt.Metadata = []string{"statements", "records"}, way
	w.putRecipe("name: tables\nmatch: {format: [CSV, TSV]}\ncsvw: minimal\n", "")
	var mu sync.Mutex
	counts := map[string]int{}
	for i, table := range tables {
		w.serve(table, "text/csv", fmt.Sprintf("a,b|c\n%d,x|y\n", i))
	}
	w.mux.HandleFunc("/", func(reply http.ResponseWriter, request *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		counts[request.URL.Path]++
		http.NotFound(reply, request)
	})
	return w, func() map[string]int {
		mu.Lock()
		defer mu.Unlock()
		return counts
	}
}

// Of a host that has no metadata not each table is asked for, nor the same again and again; of one that has some, each
// is found.
func TestAHostIsNotAskedForTheMetadataOfEachTable(t *testing.T) {
	var tables []string
	for i := range 30 {
		tables = append(tables, fmt.Sprintf("/d/%d.csv", i))
	}
	for _, c := range []struct {
		way                     string
		described               string // a table with metadata of its own
		site, folder, own, most int
		found                   int // tables with records of their metadata
	}{
		{daemon.MetadataFound, "", 1, 1, 5, 5, 0},
		{daemon.MetadataAlways, "", 1, 1, 30, 30, 0},
		{daemon.MetadataLinked, "", 0, 0, 0, 0, 0},
		{daemon.MetadataOff, "", 0, 0, 0, 0, 0},
		{daemon.MetadataFound, "/d/0.csv", 1, 1, 29, 29, 1},
	} {
		t.Run(c.way+c.described, func(t *testing.T) {
			t.Parallel()
			w, asked := tableWorld(t, c.way, tables...)
			if c.described == "" {
				w.add(tables...)
			} else {
				w.serve(c.described+"-metadata.json", "application/csvm+json", metadataOf("|", c.described))
				w.add(c.described)
				w.run()
				w.add(tables...)
			}
			w.run()
			w.retry(tables[7])
			w.serve("/d/late.csv", "text/csv", "a,b|c\n1,2|4\n")
			if c.way != daemon.MetadataAlways && c.described == "" {
				w.add("/d/late.csv")
			}
			w.run()
			own := 0
			for path, n := range asked() {
				if strings.HasSuffix(path, ".csv-metadata.json") {
					own++
					if n != 1 {
						t.Errorf("%s was asked for %d times", path, n)
					}
				}
			}
			if site, folder := asked()["/.well-known/csvm"], asked()["/d/csv-metadata.json"]; site != c.site || folder != c.folder ||
				own < min(c.own, c.most) || own > c.most {
				t.Errorf("asked for the site %d, the folder %d, and tables %d times: %v", site, folder, own, asked())
			}
			found := 0
			for _, seed := range w.all() {
				if seed.URI == "" {
					continue
				}
				p := seed.Product(seedlist.ProductRecords)
				if seed.Status != seedlist.Parsed || seed.Tries != 0 || p == nil || p.Error != nil {
					t.Fatalf("%s: %s after %d tries: %+v", seed.URI, seed.Status, seed.Tries, seed.Error)
				}
				if p.Metadata != "" {
					found++
				}
			}
			if found != c.found {
				t.Errorf("%d tables are described, want %d", found, c.found)
			}
			w.wholeStore()
		})
	}
}

// Metadata that changed, is gone or came is noticed when a table is washed again, and then by all tables that were
// made by it. Where the other side has trouble, what was had stays.
func TestMetadataThatChangedIsNoticedWhenATableIsWashedAgain(t *testing.T) {
	const byComma, byPipe = `{"a":`, `{"a,b":`
	for _, c := range []struct {
		name                string
		before, after       int
		textAfter           string
		records, afterwards string
	}{
		{"it changed", 200, 200, metadataOf(",", "/d/t.csv", "/d/u.csv"), byPipe, byComma},
		{"it is as it was", 200, 200, metadataOf("|", "/d/t.csv", "/d/u.csv"), byPipe, byPipe},
		{"it is gone", 200, 404, "", byPipe, byComma},
		{"it can't be had", 200, 503, "", byPipe, byPipe},
		{"it came", 404, 200, metadataOf("|", "/d/t.csv", "/d/u.csv"), byComma, byPipe},
		{"it could not be had, and came", 503, 200, metadataOf("|", "/d/t.csv", "/d/u.csv"), byComma, byPipe},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w, _ := tableWorld(t, daemon.MetadataFound, "/d/t.csv", "/d/u.csv")
			w.add("/d/t.csv", "/d/u.csv")
			meta := w.page("/d/csv-metadata.json", []byte(metadataOf("|", "/d/t.csv", "/d/u.csv")))
			meta.set(c.before, []byte(metadataOf("|", "/d/t.csv", "/d/u.csv")))
			w.run()
			for _, path := range []string{"/d/t.csv", "/d/u.csv"} {
				if got := w.records(path); !strings.HasPrefix(got, c.records) {
					t.Fatalf("%s: %s\n%+v", path, got, w.seed(path).Products)
				}
			}
			meta.set(c.after, []byte(c.textAfter))
			long := time.Now().Add(-30 * 24 * time.Hour)
			places := []string{"/.well-known/csvm", "/d/csv-metadata.json", "/d/t.csv-metadata.json", "/d/u.csv-metadata.json"}
			for _, place := range places {
				err := w.seeds.EditContext(t.Context(), w.uri(place), func(known *seedlist.Context) bool {
					if known.Metadata == nil {
						return false
					}
					known.Metadata.Answered = long
					if !known.Due.IsZero() {
						known.Due = long
					}
					return true
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			var before []uint64
			for _, path := range []string{"/d/t.csv", "/d/u.csv"} {
				before = append(before, w.seed(path).Fence)
			}
			again := seedlist.Again{Asked: seedlist.Rewash, To: seedlist.Filed}
			if _, err := w.seeds.WashAgain(t.Context(), again, seedlist.Key(w.uri("/d/t.csv"))); err != nil {
				t.Fatal(err)
			}
			stop := w.start()
			w.await("both are made anew", func() bool {
				isOf := func(path string) bool {
					seed := w.seed(path)
					return seed.Status == seedlist.Parsed && strings.HasPrefix(w.records(path), c.afterwards)
				}
				return w.seed("/d/t.csv").Fence > before[0] && isOf("/d/t.csv") && (isOf("/d/u.csv") || c.before == 404)
			})
			stop()
			w.opt.UntilIdle = true
			w.run()
			w.sound()
		})
	}
}

// A daemon that ends while metadata is on its way leaves the table where the next one goes on.
func TestATableWaitsForItsMetadataOverARestart(t *testing.T) {
	w, _ := tableWorld(t, daemon.MetadataFound, "/d/t.csv")
	w.add("/d/t.csv")
	var mu sync.Mutex
	asked := 0
	w.mux.HandleFunc("/d/t.csv-metadata.json", func(reply http.ResponseWriter, request *http.Request) {
		mu.Lock()
		asked++
		first := asked == 1
		mu.Unlock()
		if first {
			<-request.Context().Done()
			return
		}
		reply.Write([]byte(metadataOf("|", "t.csv")))
	})
	stop := w.start()
	w.await("the table waits", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return asked == 1 && w.seed("/d/t.csv").Status == seedlist.Guessed
	})
	stop()
	if seed := w.seed("/d/t.csv"); seed.Status != seedlist.Guessed || seed.Tries != 0 || seed.Error != nil {
		t.Errorf("%s after %d tries: %+v", seed.Status, seed.Tries, seed.Error)
	}
	w.opt.UntilIdle = true
	w.run()
	if got := w.records("/d/t.csv"); got != "{\"a,b\":\"0,x\",\"c\":\"y\",\"_line\":2}\n" {
		t.Errorf("the records are %s", got)
	}
}

// A foreign key to a table that is another document is not checked, and that is said once. One to the table itself is.
func TestAKeyToAnotherDocumentIsSaidToBeUnchecked(t *testing.T) {
	w, _ := tableWorld(t, daemon.MetadataFound)
	w.serve("/d/people.csv", "text/csv", "id,boss,town\n1,1,Bonn\n2,7,Nowhere\n")
	w.serve("/d/towns.csv", "text/csv", "name\nBonn\n")
	w.serve("/d/csv-metadata.json", "application/json", `{"@context": "http://www.w3.org/ns/csvw", "tables": [
		{"url": "people.csv", "tableSchema": {"columns": [{"name": "id"}, {"name": "boss"}, {"name": "town"}], "primaryKey": "id",
			"foreignKeys": [{"columnReference": "boss", "reference": {"resource": "people.csv", "columnReference": "id"}},
				{"columnReference": "town", "reference": {"resource": "towns.csv", "columnReference": "name"}}]}},
		{"url": "towns.csv", "tableSchema": {"columns": [{"name": "name"}]}}]}`)
	w.add("/d/people.csv", "/d/towns.csv")
	w.run()
	people := w.seed("/d/people.csv").Notices
	if people["csvw/unchecked-key"] != 1 || people["csvw/foreign-key"] != 1 {
		t.Errorf("people: %v", people)
	}
	if towns := w.seed("/d/towns.csv").Notices; towns["csvw/unchecked-key"] != 0 {
		t.Errorf("towns: %v", towns)
	}
	w.sound()
}

// The records of a table of a Data Package keep to the key that leads to the table itself, as those of the command do.
func TestAPackagedTableKeepsToItsOwnKey(t *testing.T) {
	w, _ := tableWorld(t, daemon.MetadataLinked)
	w.mux.HandleFunc("/d/people.csv", func(reply http.ResponseWriter, _ *http.Request) {
		reply.Header().Set("Content-Type", "text/csv")
		reply.Header().Set("Link", `<datapackage.json>; rel="describedby"; type="application/json"`)
		fmt.Fprint(reply, "id,boss,town\n1,1,Bonn\n2,7,Nowhere\n")
	})
	w.serve("/d/datapackage.json", "application/json", `{"resources": [
		{"name": "people", "path": "people.csv", "type": "table", "schema": {"primaryKey": "id",
			"fields": [{"name": "id", "type": "integer"}, {"name": "boss", "type": "integer"}, {"name": "town", "type": "string"}],
			"foreignKeys": [{"fields": "boss", "reference": {"resource": "", "fields": "id"}},
				{"fields": "town", "reference": {"resource": "towns", "fields": "name"}}]}},
		{"name": "towns", "path": "towns.csv", "type": "table", "schema": {"fields": [{"name": "name", "type": "string"}]}}]}`)
	w.add("/d/people.csv")
	w.run()
	if got := w.records("/d/people.csv"); strings.Count(got, "\n") != 1 || !strings.Contains(got, `"town":"Bonn"`) {
		t.Errorf("records: %s", got)
	}
	notices := w.seed("/d/people.csv").Notices
	if notices["csvw/unchecked-key"] != 1 || notices["schema/foreign-key"] != 1 {
		t.Errorf("%v", notices)
	}
	w.sound()
}
