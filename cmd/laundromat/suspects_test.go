package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laundromat/seedlist"
	"laundromat/storage"
)

// seedFile writes the URIs of n documents of a server into a file.
func seedFile(t *testing.T, server string, n int) string {
	var list bytes.Buffer
	for i := range n {
		fmt.Fprintf(&list, "%s/%d\n", server, i)
	}
	name := filepath.Join(t.TempDir(), "seeds.txt")
	if err := os.WriteFile(name, list.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// serving are the arguments of a daemon on loopback that is not polite.
func serving(data string, more ...string) []string {
	return append([]string{
		"serve", "-q", "--listen", "127.0.0.1:0", "--data", data, "--allow-private", "--ignore-robots",
		"--host-connections", "64", "--host-delay", "0s",
	}, more...)
}

// Kills one soon after the other blame no document, however many they hit.
func TestQuickKillsBlameNobody(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(manyDocuments))
	defer server.Close()
	seeds := seedFile(t, server.URL, 300)
	data, temp := filepath.Join(t.TempDir(), "data"), t.TempDir()
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	hit := 0
	for n := range kills(t) {
		if n%10 == 0 && n > 0 { // what is done is not hit any more
			blamesNobody(t, data, seeds)
			data = filepath.Join(t.TempDir(), "data")
		}
		moment := 50*time.Millisecond + time.Duration(random.Int64N(int64(650*time.Millisecond)))
		if killAt(t, temp, moment, serving(data, "--until-idle", "--seeds", seeds)...) {
			hit++
		}
	}
	blamesNobody(t, data, seeds)
	t.Logf("%d kills came before the end of the work", hit)
}

// blamesNobody ends the work and looks at what became of each document.
func blamesNobody(t *testing.T, data, seeds string) {
	t.Helper()
	output(t, serving(data, "--until-idle", "--seeds", seeds)...)
	blamed := 0
	for _, seed := range seedsOf(t, data) {
		if seed.Error != nil && strings.HasPrefix(string(seed.Error.Code), "bug/") {
			t.Errorf("%s: %s: %s", seed.URI, seed.Error.Code, seed.Error.Message)
			blamed++
		}
		if !seed.Status.IsFinal() {
			t.Errorf("%s is %s", seed.URI, seed.Status)
		}
	}
	if blamed > 0 {
		t.Fatalf("%d documents are blamed for kills from outside", blamed)
	}
}

// A document that the process dies of whenever it parses it is found, and costs itself alone.
func TestADocumentThatKillsTheProcessIsFound(t *testing.T) {
	big := bigDocument()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/0" {
			manyDocuments(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/gzip")
		w.Write(big)
	}))
	defer server.Close()
	seeds := seedFile(t, server.URL, 40)
	data, temp := filepath.Join(t.TempDir(), "data"), t.TempDir()
	killer := seedlist.Key(server.URL + "/0")
	deaths := 0
	for ; deaths < 10; deaths++ {
		if !diesOf(t, killer, temp, data, seeds) {
			break
		}
	}
	if deaths != 4 {
		t.Errorf("the process died %d times, want once with others and three times of it alone", deaths)
	}
	for _, seed := range seedsOf(t, data) {
		switch {
		case seed.Hash == killer:
			if seed.Error == nil || seed.Error.Code != "bug/process-died" || seed.Due.IsZero() || time.Until(seed.Due) > 7*time.Hour {
				t.Errorf("the killer is %s, due %v: %+v", seed.Status, seed.Due, seed.Error)
			}
		case seed.Error != nil && strings.HasPrefix(string(seed.Error.Code), "bug/"):
			t.Errorf("%s is blamed: %+v", seed.URI, seed.Error)
		}
	}
}

// bigDocument is some 250 MB of N-Triples, packed: it is parsed for seconds, so that even on a busy
// machine it is seen at work.
func bigDocument() []byte {
	var packed bytes.Buffer
	zipped, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	lines := bufio.NewWriter(zipped)
	for i := range 3_000_000 {
		fmt.Fprintf(lines, "<http://example.org/s%d> <http://example.org/p%d> \"the value %d\" .\n", (i*7919)%3_000_000, i%10, i)
	}
	lines.Flush()
	zipped.Close()
	return packed.Bytes()
}

// diesOf runs the daemon until it has nothing left to do, or until it parses a document. Then it
// is killed, as if it had died of that.
func diesOf(t *testing.T, killer, temp, data, seeds string) bool {
	t.Helper()
	command := process(t, temp, serving(data, "--until-idle", "--seeds", seeds)...)
	var messages bytes.Buffer
	command.Stderr = &messages
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	for {
		select {
		case err := <-ended:
			if code := exitCodeOf(t, err); code != 0 {
				t.Fatalf("exit %d: %s", code, messages.String())
			}
			return false
		case <-time.After(5 * time.Millisecond):
		}
		if isBeingParsed(data, killer) {
			command.Process.Kill()
			<-ended
			return true
		}
	}
}

// isBeingParsed asks a daemon whether a document is being parsed, and some of it is read.
func isBeingParsed(data, hash string) bool {
	address, err := os.ReadFile(filepath.Join(data, storage.AddressFile))
	if err != nil {
		return false
	}
	response, err := http.Get("http://" + strings.TrimSpace(string(address)) + "/api/v1/seeds/" + hash)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	var seed struct {
		Status   seedlist.State
		Progress *seedlist.Progress
	}
	body, _ := io.ReadAll(response.Body)
	return json.Unmarshal(body, &seed) == nil && seed.Status == seedlist.Parsing && seed.Progress != nil && seed.Progress.Bytes > 0
}
