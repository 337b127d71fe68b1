//go:build !race

package main

import (
	"bytes"
	"compress/gzip"
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

// TestManyLargeDocumentsStayWithinTheMemoryOfTheDaemon queues documents at once that are each
// nearly as long as all the memory that the daemon is given; bench/giants does the same with a
// hundred of a gigabyte.
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
