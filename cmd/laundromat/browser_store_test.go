package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"laundromat/internal/demo"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/storetest"
	"laundromat/storage"
)

// storeSeeds is how many seeds the store has that a browser looks at, beside those of its own web.
// LAUNDROMAT_PAGE_SEEDS is another number: 100000 takes half a minute to make.
func storeSeeds(t *testing.T) int {
	text := os.Getenv("LAUNDROMAT_PAGE_SEEDS")
	if text == "" {
		return 2000
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal("LAUNDROMAT_PAGE_SEEDS: ", err)
	}
	return n
}

// populated makes a store of seeds that rest: two of seven failed, the others are washed.
func populated(t *testing.T, dir string, seeds int) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	list, err := bolt.Open(filepath.Join(dir, storage.ListFile), seedlist.Options{HostDelay: -1, HostConnections: 1 << 20, Interval: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	if err := storetest.AddMany(t.Context(), list, seeds, 10); err != nil {
		t.Fatal(err)
	}
}

// dirtyWeb is a web of dirty files on this machine: the demo's, and others.
type dirtyWeb struct {
	*httptest.Server
	// isMended says that what answered 404 is there now.
	isMended atomic.Bool
	// moved counts what was given of a table that is another each time.
	moved atomic.Int64
}

// dirtyText has a space in an IRI, an escape that is none, and a line that nobody can read.
const dirtyText = `<http://example.org/a> <http://example.org/p> "a good one" .
<http://example.org/b c> <http://example.org/p> "a space in an IRI" .
this line is a note
<http://example.org/d> <http://example.org/p> "control` + "\x07" + ` character" .
`

func startDirtyWeb(t *testing.T) *dirtyWeb {
	t.Helper()
	w := &dirtyWeb{}
	transport := &demo.Transport{}
	w.Server = httptest.NewServer(http.HandlerFunc(func(reply http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/fresh"):
			reply.Header().Set("Content-Type", "application/n-triples")
			fmt.Fprintf(reply, "%s<http://example.org/%s> <http://example.org/p> \"its own\" .\n", dirtyText, r.URL.Path)
		case strings.HasPrefix(r.URL.Path, "/later"):
			if !w.isMended.Load() {
				http.NotFound(reply, r)
				return
			}
			reply.Header().Set("Content-Type", "application/n-triples")
			fmt.Fprintf(reply, "<http://example.org/%s> <http://example.org/p> \"at last\" .\n", r.URL.Path)
		case r.URL.Path == "/moving.csv":
			reply.Header().Set("Content-Type", "text/csv")
			n := w.moved.Add(1)
			fmt.Fprintf(reply, "id,harbour,height\n1,Dover,%d\n%d,Calais,4\n3,Ostend with a name that is long enough for two lines,2\n", n, n+9)
		case r.URL.Path == "/members/all.csv":
			reply.Header().Set("Content-Type", "text/csv")
			io.WriteString(reply, membersTable)
		case strings.HasPrefix(r.URL.Path, "/hostile"):
			serveHostile(reply, r)
		case r.URL.Path == "/list.txt":
			fmt.Fprintf(reply, "%s/people.nq\n%s/new-in-the-list.nt\nmailto:nobody@example.org\n", w.URL, w.URL)
		default:
			asked, _ := http.NewRequest(http.MethodGet, "http://"+demo.Host+r.URL.Path, nil)
			answer, err := transport.RoundTrip(asked)
			if err != nil {
				http.Error(reply, err.Error(), http.StatusBadGateway)
				return
			}
			defer answer.Body.Close()
			for name, values := range answer.Header {
				reply.Header()[name] = values
			}
			reply.Header().Del("Location")
			reply.WriteHeader(answer.StatusCode)
			buffer := make([]byte, 64<<10)
			for {
				n, err := answer.Body.Read(buffer)
				reply.Write(buffer[:n])
				if err != nil {
					return
				}
			}
		}
	}))
	t.Cleanup(w.Close)
	return w
}

// visited is a service that a browser looks at.
type visited struct {
	web     *dirtyWeb
	address string
	token   string
	data    string
}

// tidesRecipe is for a table of the demo.
const tidesRecipe = "name: tides\nmatch: {uri: '*/tides.csv', format: CSV}\nspec: {schema: {fields: [{name: harbour, type: string}]}}\n"

// membersTable is a table with some persons twice.
const membersTable = "id,given,surname,street,phone,born\n" +
	"m1,Ingrid,Sorensen,48 Fjord Street,555-0105,1971-02-03\nm2,Ingrid,Sørensen,48 Fjord St,5550105,1971-02-03\n" +
	"m3,Kwame,Mensah,15 Palm Avenue,555-0106,1978-01-25\nm4,Kwame,Mensa,15 Palm Ave,555-0106,1978-01-25\n" +
	"m5,Anna,Keller,4 Mill Road,555-0102,1961-04-12\nm6,Peter,Keller,4 Mill Road,555-0102,1958-11-02\n" +
	"m7,Hiroshi,Tanaka,8 Sakura Dori,555-0110,1969-11-30\nm8,Claire,Dubois,17 Rue Pasteur,555-0111,1972-02-29\n" +
	"m9,Lucia,Ferrari,22 Via Roma,555-0107,1983-07-19\n"

// startVisited starts a daemon on a store of many seeds, with the documents of a dirty web.
func startVisited(t *testing.T) visited {
	t.Helper()
	return startVisitedWith(t, storeSeeds(t))
}

// startVisitedWith has so many seeds beside those of the dirty web, and some documents of it by another name of its
// host.
func startVisitedWith(t *testing.T, others int, sound ...string) visited {
	t.Helper()
	l := visited{web: startDirtyWeb(t), data: filepath.Join(t.TempDir(), "data")}
	populated(t, l.data, others)
	l.token = strings.TrimSpace(output(t, "token", "add", "alice", "--scope", "add,operate", "--data", l.data))
	var seeds strings.Builder
	for _, uri := range demo.Seeds() {
		seeds.WriteString(strings.Replace(uri, "http://"+demo.Host, l.web.URL, 1) + "\n")
	}
	for i := range 5 {
		fmt.Fprintf(&seeds, "%s/later%d.nt\n", l.web.URL, i)
	}
	seeds.WriteString(l.web.URL + "/fresh.nt\n")
	for _, path := range sound {
		seeds.WriteString(strings.Replace(l.web.URL, "127.0.0.1", "localhost", 1) + path + "\n")
	}
	file := filepath.Join(t.TempDir(), "seeds.txt")
	if err := os.WriteFile(file, []byte(seeds.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	tides, members := filepath.Join(folder, "tides.yaml"), filepath.Join(folder, "members.yaml")
	for path, recipe := range map[string]string{tides: tidesRecipe, members: membersRecipe} {
		if err := os.WriteFile(path, []byte(recipe), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l.address = startDaemon(t, l.data, "--seeds", file, "--recipe", tides, "--recipe", members,
		"--records-into", "sqlite:"+filepath.Join(folder, "records.db"),
		"--catalog", l.web.URL+"/list.txt", "--allow-private", "--ignore-robots",
		"--host-delay", "0s", "--host-connections", "16", "--tries", "1", "--interval", "0s", "--products", "statements,records,articles",
		"--keep-versions", "3")
	return l
}
