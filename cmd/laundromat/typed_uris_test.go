package main

import (
	"errors"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
)

// TestTypedReferencesAreRefusedWhereTheyHaveNoScheme makes references of parts, and asks the parser of the
// standard library whether each has a scheme.
func TestTypedReferencesAreRefusedWhereTheyHaveNoScheme(t *testing.T) {
	t.Chdir(t.TempDir())
	random := rand.New(rand.NewPCG(27, 8))
	pick := func(parts ...string) string { return parts[random.IntN(len(parts))] }
	refused := 0
	for range 400 {
		reference := pick("http://", "https://", "HTTP://", "ftp://", "file://", "", "", "", "//", "./", "../", "/") +
			pick("example.org", "www.example.net", "data.example.museum", "127.0.0.1", "localhost") +
			pick("/", "/a/", "/deep/er/", "/%7Eme/") +
			pick("data.ttl", "list.txt", "x", "dump.nt.gz", "ünïcode.rdf", "a-b_c", "") + pick("", "", "?q=1", "#part")
		parsed, err := url.Parse(reference)
		if err != nil {
			t.Fatal(err)
		}
		err = checkTyped([]string{"http://example.org/", reference}, meantSeeds)
		if got, want := err != nil, parsed.Scheme == ""; got != want {
			t.Errorf("%s: %v, refused %v, want %v", reference, err, got, want)
			continue
		}
		if err == nil {
			continue
		}
		refused++
		var ended *exitError
		if !errors.As(err, &ended) || ended.code != exitUsage || !strings.Contains(err.Error(), "did you mean http") ||
			!strings.Contains(err.Error(), "--seeds FILE") {
			t.Errorf("%s: %v", reference, err)
		}
	}
	if refused < 200 {
		t.Errorf("only %d were refused", refused)
	}
}
