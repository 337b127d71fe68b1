package main

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// kills is how often each crash test kills the program: LAUNDROMAT_KILLS, else 5.
func kills(t *testing.T) int {
	text := os.Getenv("LAUNDROMAT_KILLS")
	if text == "" {
		return 5
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("LAUNDROMAT_KILLS: %v", err)
	}
	return n
}

// TestKillLosesNothing kills the daemon at random moments of its work on the demo and lets it go on.
// What is there in the end is what an undisturbed run leaves.
func TestKillLosesNothing(t *testing.T) {
	// Files of other products are named by claims, which kills raise.
	holdThatKillsLoseNothing(t, 300*time.Millisecond, []string{"--demo", "--products", "statements"})
}

// TestKillLosesNothingOfManySeeds is the same with a few hundred seeds, so that each
// kill hits batches at work in every stage.
func TestKillLosesNothingOfManySeeds(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(manyDocuments))
	defer server.Close()
	var list bytes.Buffer
	for n := range 200 {
		fmt.Fprintf(&list, "%s/%d\n", server.URL, n)
	}
	seeds := filepath.Join(t.TempDir(), "seeds.txt")
	if err := os.WriteFile(seeds, list.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	holdThatKillsLoseNothing(t, 900*time.Millisecond, []string{
		"--seeds", seeds, "--allow-private", "--ignore-robots", "--host-connections", "64", "--host-delay", "0s",
	})
}

// manyDocuments answers each path with a small document of its own. Every tenth is broken, every
// seventh the same as another, every eleventh is not there.
func manyDocuments(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
	if err != nil || n%11 == 10 {
		http.NotFound(w, r)
		return
	}
	if n%7 == 6 {
		n = 6
	}
	w.Header().Set("Content-Type", "text/turtle")
	fmt.Fprintf(w, "@prefix ex: <http://example.org/> .\n")
	for i := range 1 + n%5 {
		fmt.Fprintf(w, "ex:s%d ex:p \"%d of %d\" , [ ex:q %d ] .\n", n, i, n, i)
	}
	if n%10 == 9 {
		fmt.Fprintf(w, "ex:s%d no:prefix 1 .\nex:s%d ex:p <http://example.org/a b> .\n", n, n)
	}
}

func holdThatKillsLoseNothing(t *testing.T, longest time.Duration, args []string) {
	serve := func(data string) []string {
		return append([]string{"serve", "--until-idle", "-q", "--listen", "127.0.0.1:0", "--data", data}, args...)
	}
	undisturbed := filepath.Join(t.TempDir(), "data")
	start := time.Now()
	output(t, serve(undisturbed)...)
	whole := time.Since(start)
	want := stateOf(t, undisturbed)
	longest = min(longest, whole) // later there is nothing left to be cut

	number := uint64(time.Now().UnixNano())
	if text := os.Getenv("LAUNDROMAT_KILL_SEED"); text != "" {
		var err error
		if number, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("undisturbed: %v, %d records and files; LAUNDROMAT_KILL_SEED=%d", whole.Round(time.Millisecond), len(want), number)
	random := rand.New(rand.NewPCG(number, 0))
	hit := 0
	for n := range kills(t) {
		data, temp := filepath.Join(t.TempDir(), "data"), t.TempDir()
		var moments []time.Duration
		for range 1 + random.IntN(2) {
			moment := time.Duration(random.Int64N(int64(longest)))
			moments = append(moments, moment)
			if killAt(t, temp, moment, serve(data)...) {
				hit++
			}
		}
		output(t, serve(data)...)
		if got := stateOf(t, data); !maps.Equal(got, want) {
			t.Fatalf("kill %d, after %v: the end differs from that of an undisturbed run:\n%s", n, moments, differences(got, want))
		}
		if text := output(t, "verify", "--data", data); !strings.Contains(text, " 0 damaged or missing, 0 files that no record names") {
			t.Fatalf("kill %d, after %v: verify: %s", n, moments, text)
		}
		if left := filesIn(t, filepath.Join(data, "temp")); len(left) > 0 {
			t.Fatalf("kill %d, after %v: temporary files stayed: %v", n, moments, left)
		}
		if left := filesIn(t, temp); len(left) > 0 {
			t.Fatalf("kill %d, after %v: the system's folder for temporary files holds %v", n, moments, left)
		}
		os.RemoveAll(data)
	}
	t.Logf("%d kills came before the end of the work", hit)
}

// killAt starts the program and kills it after some time; it says whether the
// program was still there to be killed.
func killAt(t *testing.T, temp string, moment time.Duration, args ...string) bool {
	t.Helper()
	command := process(t, temp, args...)
	var messages bytes.Buffer
	command.Stderr = &messages
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(moment, func() { command.Process.Kill() })
	defer timer.Stop()
	switch code := exitCodeOf(t, command.Wait()); code {
	case -1:
		return true
	case 0:
		return false
	default:
		t.Fatalf("exit code %d before the kill: %s", code, messages.String())
		return false
	}
}

// differences lists what two states do not share.
func differences(got, want map[string]string) string {
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if g, ok := got[key]; !ok {
			fmt.Fprintf(&b, "lost: %s: %s\n", key, want[key])
		} else if g != want[key] {
			fmt.Fprintf(&b, "%s:\n  got  %s\n  want %s\n", key, g, want[key])
		}
	}
	for _, key := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[key]; !ok {
			fmt.Fprintf(&b, "too much: %s: %s\n", key, got[key])
		}
	}
	return b.String()
}
