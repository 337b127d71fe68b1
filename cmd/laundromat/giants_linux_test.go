//go:build !race

package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"laundromat/seedlist"
)

// TestTermLongerThanAllMemoryCostsItselfAlone washes documents with one text that is longer than
// the memory, after more statements than fit in it.
func TestTermLongerThanAllMemoryCostsItselfAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("washes 700 MB")
	}
	const (
		memory = 64 << 20
		before = 400_000
	)
	subject := func(i int) string { return fmt.Sprintf("http://example.org/resource/%d", i*1_000_003%before) }
	lines := func(i int, text string) string {
		return fmt.Sprintf("<%s> <http://example.org/p> %q .\n", subject(i), text)
	}
	for _, test := range []struct {
		format, begin, end, between string
		statement                   func(i int, text string) string
	}{
		{"N-Triples", "", "", "", lines},
		{"Turtle", "", "", "", lines},
		{"TriG", "<http://example.org/g> {\n", "}\n", "", lines},
		{"RDF/XML", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://example.org/">` + "\n",
			"</rdf:RDF>\n", "", func(i int, text string) string {
				return fmt.Sprintf("<rdf:Description rdf:about=%q><e:p>%s</e:p></rdf:Description>\n", subject(i), text)
			}},
		{"JSON-LD", "[", "]\n", ",\n", func(i int, text string) string {
			return fmt.Sprintf(`{"@id":%q,"http://example.org/p":%q}`, subject(i), text)
		}},
		{"TriX", `<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph>` + "\n", "</graph></TriX>\n", "",
			func(i int, text string) string {
				return fmt.Sprintf("<triple><uri>%s</uri><uri>http://example.org/p</uri><plainLiteral>%s</plainLiteral></triple>\n",
					subject(i), text)
			}},
		{"RDF/JSON", "{", "}\n", ",\n", func(i int, text string) string {
			return fmt.Sprintf(`%q:{"http://example.org/p":[{"type":"literal","value":%q}]}`, subject(i), text)
		}},
	} {
		t.Run(strings.ReplaceAll(test.format, "/", "-"), func(t *testing.T) {
			dir := t.TempDir()
			input, output := filepath.Join(dir, "input"), filepath.Join(dir, "output.nq")
			file, err := os.Create(input)
			if err != nil {
				t.Fatal(err)
			}
			to := bufio.NewWriter(file)
			to.WriteString(test.begin)
			for i := range before {
				to.WriteString(test.statement(i, "some value that stands here"))
				to.WriteString(test.between)
			}
			to.WriteString(test.statement(0, strings.Repeat("x", memory+memory/4)))
			to.WriteString(test.between)
			to.WriteString(test.statement(1, "the last"))
			to.WriteString(test.end)
			if err := errors.Join(to.Flush(), file.Close()); err != nil {
				t.Fatal(err)
			}
			command := process(t, dir, "wash", "--format", test.format, "--memory", strconv.Itoa(memory), "-o", output, input)
			peak, err := watched(t, command, "RssAnon:")
			if code := command.ProcessState.ExitCode(); code != 3 {
				t.Errorf("exit %d: %v", code, err)
			}
			t.Logf("%d of %d MiB", peak>>20, memory>>20)
			if peak == 0 || peak > memory {
				t.Errorf("%d bytes of memory, of %d that were given", peak, memory)
			}
			text := readFile(t, output)
			if n := bytes.Count(text, []byte{'\n'}); n != before+1 || !bytes.Contains(text, []byte(`"the last"`)) {
				t.Errorf("%d lines, of %d", n, before+1)
			}
		})
	}
}

// TestManyLargeDocumentsStayWithinTheMemoryOfTheDaemon queues documents at once, each nearly as long
// as all the memory that the daemon is given. The program bench/giants does the same with a hundred of
// a gigabyte.
func TestManyLargeDocumentsStayWithinTheMemoryOfTheDaemon(t *testing.T) {
	if testing.Short() {
		t.Skip("washes 720 MB")
	}
	const (
		documents = 12
		lines     = 600_000 // of 100 bytes
		memory    = 64 << 20
	)
	var common bytes.Buffer
	z, _ := gzip.NewWriterLevel(&common, gzip.BestSpeed) // the level is known
	for i := range lines {
		number := i * 1_000_003 % lines // each once, in no order
		fmt.Fprintf(z, "<http://example.org/resource/%07d> <http://example.org/property%02d> \"some value that stands here, %07d\" .\n",
			number/8, number%8, number)
	}
	z.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var own bytes.Buffer // a member that makes each document another
		z := gzip.NewWriter(&own)
		fmt.Fprintf(z, "<http://example.org/document> <http://example.org/path> %q .\n", r.URL.Path)
		z.Close()
		w.Header().Set("Content-Type", "application/gzip")
		w.Write(own.Bytes())
		w.Write(common.Bytes())
	}))
	defer server.Close()
	dir := t.TempDir()
	var list strings.Builder
	for n := range documents {
		fmt.Fprintf(&list, "%s/%d.nt.gz\n", server.URL, n)
	}
	seeds := filepath.Join(dir, "seeds.txt")
	if err := os.WriteFile(seeds, []byte(list.String()), 0o600); err != nil {
		t.Fatal(err)
	}

	data := filepath.Join(dir, "data")
	command := process(t, t.TempDir(), "serve", "--data", data, "--seeds", seeds, "--until-idle", "--listen", "127.0.0.1:0", "--quiet",
		"--memory", strconv.Itoa(memory), "--allow-private", "--ignore-robots", "--host-connections", "64", "--host-delay", "0s")
	var messages bytes.Buffer
	command.Stdout, command.Stderr = &messages, &messages
	peak, err := watched(t, command, "RssAnon:")
	if err != nil {
		t.Fatalf("%v: %s", err, messages.Bytes())
	}
	t.Logf("%d of %d MiB", peak>>20, int64(memory)>>20)
	switch {
	case peak == 0:
		t.Error("the memory could not be seen")
	case peak > memory:
		t.Errorf("%d bytes of memory, of %d that were given", peak, int64(memory))
	}
	parsed := 0
	for _, seed := range seedsOf(t, data) {
		if seed.URI == "" {
			continue // a clean file
		}
		if seed.Status != seedlist.Parsed || seed.Statements == nil || seed.Statements.Written != lines+1 {
			t.Errorf("%s: %s, %+v", seed.URI, seed.Status, seed.Statements)
			continue
		}
		parsed++
	}
	if parsed != documents {
		t.Errorf("%d of %d documents were parsed", parsed, documents)
	}
}
