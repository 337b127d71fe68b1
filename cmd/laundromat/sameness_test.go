package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// manyLines are N-Quads in no order: some twice, some with escapes, language tags in capitals,
// literals that are not canonical, or blank nodes. They are 4 MB, so that every goroutine has
// something to do.
func manyLines() string {
	random := rand.New(rand.NewPCG(5, 6))
	var b strings.Builder
	for range 30_000 {
		n := random.IntN(20_000)
		object := fmt.Sprintf(`<http://example.org/o/%d>`, n%7)
		switch n % 6 {
		case 0:
			object = fmt.Sprintf(`"caf\u00E9 %d \U0001F600"@EN-gb`, n)
		case 1:
			object = fmt.Sprintf(`"%04d"^^<http://www.w3.org/2001/XMLSchema#integer>`, n)
		case 2:
			object = fmt.Sprintf(`_:b%d`, n)
		case 3:
			object = fmt.Sprintf(`"tab\tand \"quote\" \\ %s"`, strings.Repeat("x", n%90))
		}
		fmt.Fprintf(&b, "<http://example.org/s/%d> <http://example.org/p/%d> %s <http://example.org/g/%d> .\n", n/3, n%3, object, n%2)
	}
	return b.String()
}

// TestOutputIsTheSameHoweverItIsMade washes one document on one goroutine and on several,
// in little memory and in much, and sorts what is written unsorted.
func TestOutputIsTheSameHoweverItIsMade(t *testing.T) {
	folder := t.TempDir()
	input := filepath.Join(folder, "x.nq")
	if err := os.WriteFile(input, []byte(manyLines()), 0o600); err != nil {
		t.Fatal(err)
	}
	packed := filepath.Join(folder, "x.nq.gz")
	output(t, "wash", "-q", input, "-o", packed)
	want := output(t, "wash", "-q", input)
	if n := strings.Count(want, "\n"); n < 10_000 || n >= 30_000 {
		t.Fatalf("%d lines", n)
	}
	for _, args := range [][]string{{"--workers", "1"}, {"--workers", "3"}, {"--memory", "64M"}} {
		if got := output(t, append([]string{"wash", "-q", input}, args...)...); got != want {
			t.Errorf("%v writes something else", args)
		}
		other := filepath.Join(folder, "other.nq.gz")
		output(t, append([]string{"wash", "-q", input, "-o", other}, args...)...)
		if a, b := readFile(t, packed), readFile(t, other); !bytes.Equal(a, b) {
			t.Errorf("%v writes other bytes of gzip: %d, %d", args, len(a), len(b))
		}
	}
	if got := sortedOnce(output(t, "wash", "-q", "--no-sort", input)); got != want {
		t.Error("sort -u of --no-sort is something else")
	}
}

// TestTermsKeptAreThoseOfAnotherReader compares with what serdi reads, each line once.
func TestTermsKeptAreThoseOfAnotherReader(t *testing.T) {
	serdi, err := exec.LookPath("serdi")
	if err != nil {
		t.Skip("serdi is not here")
	}
	input := filepath.Join(t.TempDir(), "x.nq")
	if err := os.WriteFile(input, []byte(manyLines()), 0o600); err != nil {
		t.Fatal(err)
	}
	lines, err := exec.Command(serdi, "-l", "-i", "nquads", "-o", "nquads", input).Output()
	if err != nil {
		t.Fatal(err)
	}
	tag := regexp.MustCompile(`"@[A-Za-z-]+`)
	want := sortedOnce(tag.ReplaceAllStringFunc(string(lines), strings.ToLower))
	if got := output(t, "wash", "-q", "--literals", "keep", "--blank-nodes", "keep", input); got != want {
		t.Errorf("%d bytes, serdi %d", len(got), len(want))
	}
}

func sortedOnce(text string) string {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	lines[len(lines)-1] += "\n"
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "")
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
