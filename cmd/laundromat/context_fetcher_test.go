package main

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// contextServer serves contexts, and remembers what it was asked for.
func contextServer(t *testing.T) (address string, asked func() []string) {
	var mu sync.Mutex
	var paths []string
	const text = `{"@context": {"name": "http://xmlns.com/foaf/0.1/name"}}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		paths = append(paths, r.URL.Path)
		mu.Unlock()
		switch r.URL.Path {
		case "/c", "/dir/c":
			if !strings.Contains(r.Header.Get("Accept"), "application/ld+json") {
				http.Error(w, "what?", http.StatusNotAcceptable)
				return
			}
			w.Header().Set("Content-Type", "application/ld+json")
			w.Write([]byte(text))
		case "/moved":
			http.Redirect(w, r, "/dir/outer", http.StatusSeeOther)
		case "/dir/outer":
			w.Header().Set("Content-Type", "application/json")
			w.Write([]byte(`{"@context": "c"}`))
		case "/page":
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Link", `</c>; rel="alternate"; type="application/ld+json"`)
			w.Write([]byte("<html>a page</html>"))
		case "/packed":
			w.Header().Set("Content-Type", "application/ld+json")
			w.Header().Set("Content-Encoding", "gzip")
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			z.Write([]byte(text))
			z.Close()
			w.Write(packed.Bytes())
		case "/wide":
			w.Header().Set("Content-Type", "application/ld+json")
			w.Write([]byte("\xff\xfe"))
			for _, b := range []byte(text) {
				w.Write([]byte{b, 0})
			}
		case "/huge":
			w.Write(bytes.Repeat([]byte(" "), 5<<20))
		case "/robots.txt":
			w.Write([]byte("User-agent: *\nDisallow: /closed\n"))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(paths)
	}
}

// Contexts are fetched where that is asked for, each once, and what can't be had is told with the reason.
func TestContextsAreFetchedWhereThatIsAskedFor(t *testing.T) {
	address, _ := contextServer(t)
	const line = `<http://example.org/a> <http://xmlns.com/foaf/0.1/name> "x" .` + "\n"
	for _, c := range []struct {
		context string
		flags   []string
		out     string
		exit    int
		told    string
	}{
		{"/c", []string{"--fetch-contexts", "--allow-private"}, line, 0, ""},
		{"/moved", []string{"--fetch-contexts", "--allow-private"}, line, 0, ""},
		{"/page", []string{"--fetch-contexts", "--allow-private"}, line, 0, ""},
		{"/packed", []string{"--fetch-contexts", "--allow-private"}, line, 0, ""},
		{"/wide", []string{"--fetch-contexts", "--allow-private"}, line, 0, ""},
		{"/nothing", []string{"--fetch-contexts", "--allow-private"}, "", 3, "404"},
		{"/closed", []string{"--fetch-contexts", "--allow-private"}, "", 3, "robots"},
		{"/huge", []string{"--fetch-contexts", "--allow-private"}, "", 3, "this cost 1 statement;"},
		{"/c", []string{"--fetch-contexts"}, "", 3, "not public"},
		{"/c", nil, "", 3, "--fetch-contexts"},
	} {
		t.Run(strings.Join(append(c.flags, c.context), " "), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, "a.jsonld")
			node := `{"@context":"` + address + c.context + `","@id":"http://example.org/a","name":"x"}` + "\n"
			if err := os.WriteFile(file, []byte(node), 0o600); err != nil {
				t.Fatal(err)
			}
			command := process(t, dir, append([]string{"wash", file}, c.flags...)...)
			var out, told bytes.Buffer
			command.Stdout, command.Stderr = &out, &told
			exit := exitCodeOf(t, command.Run())
			if out.String() != c.out || exit != c.exit || !strings.Contains(told.String(), c.told) {
				t.Errorf("exit code %d\n%s%s", exit, out.String(), told.String())
			}
		})
	}
}

// A context that several documents name is fetched once.
func TestAContextIsFetchedOnceARun(t *testing.T) {
	address, asked := contextServer(t)
	dir := t.TempDir()
	var files []string
	for _, name := range []string{"a", "b", "c"} {
		file := filepath.Join(dir, name+".jsonld")
		text := `{"@context":"` + address + `/c","@id":"http://example.org/` + name + `","name":"x"}`
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	out, err := process(t, dir, append([]string{"wash", "-q", "--fetch-contexts", "--allow-private"}, files...)...).Output()
	if err != nil || bytes.Count(out, []byte("\n")) != 3 {
		t.Errorf("%v\n%s", err, out)
	}
	if got := asked(); !slices.Equal(got, []string{"/robots.txt", "/c"}) {
		t.Errorf("asked for %v", got)
	}
}

// Without the flag nothing is asked.
func TestNoContextIsFetchedUnasked(t *testing.T) {
	address, asked := contextServer(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "a.jsonld")
	if err := os.WriteFile(file, []byte(`{"@context":"`+address+`/c","@id":"http://example.org/a","name":"x"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"wash", "check"} {
		if exit := exitCodeOf(t, process(t, dir, verb, "--allow-private", file).Run()); exit != 3 || len(asked()) > 0 {
			t.Errorf("%s: exit code %d, asked for %v", verb, exit, asked())
		}
	}
}
