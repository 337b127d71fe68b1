package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"laundromat/rdf/rdftest"
)

// TestASignalLeavesNoHalfArticles ends the verb while it waits for the rest of standard input, and while it reads.
func TestASignalLeavesNoHalfArticles(t *testing.T) {
	for _, test := range []struct {
		name   string
		signal os.Signal
		code   int
		lines  int // of a file; 0 for standard input that never ends
	}{
		{"terminated, waiting", syscall.SIGTERM, exitTerminate, 0},
		{"interrupted, waiting", syscall.SIGINT, exitInterrupt, 0},
		{"interrupted, reading", syscall.SIGINT, exitInterrupt, 400_000},
	} {
		t.Run(test.name, func(t *testing.T) {
			temp, out := t.TempDir(), t.TempDir()
			input := "-"
			if test.lines > 0 {
				input = filepath.Join(t.TempDir(), "big.f5")
				var text []byte
				for i := range test.lines {
					text = fmt.Appendf(text, "U:http://a.example/%d\tF:Title\tH:<p>He said \"no %d\" and went to <a href=x>her</a>.\n", i,
						i)
				}
				if err := os.WriteFile(input, text, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			command := process(t, temp, "text", input, "-q", "-o", filepath.Join(out, "articles.jsonl"))
			stdin, err := command.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			defer stdin.Close()
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			fmt.Fprint(stdin, "<p>a</p>\n")
			waitForFiles(t, out)
			command.Process.Signal(test.signal)
			if code := waitFor(t, command, longestStop); code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			holdNoFiles(t, temp)
			holdNoFiles(t, out)
		})
	}
}

// TestNoTextIsObeyedByATerminal: controls and marks of direction are shown as U+FFFD, however the text is cut.
func TestNoTextIsObeyedByATerminal(t *testing.T) {
	const text, want = "a\x1b[31m\r\x07\u009b\u202eé\u2028\tb\n\f", "a\uFFFD[31m\uFFFD\uFFFD\uFFFD\uFFFDé\uFFFD\tb\n\uFFFD"
	for size := 1; size <= len(text); size++ {
		var out bytes.Buffer
		w := &shownWriter{to: &out}
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if _, err := w.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if out.String() != want {
			t.Errorf("in pieces of %d: %q, want %q", size, out.String(), want)
		}
	}
}

// TestTheSampleIsItself: a file of f5 or full5 comes out as it was, and each from its own source.
func TestTheSampleIsItself(t *testing.T) {
	folder := filepath.Join(rdftest.Shared(t, "text"), "spinn3r")
	for _, form := range []string{"f5", "full5"} {
		name := filepath.Join(folder, "article."+form)
		out, err := process(t, t.TempDir(), "text", name, "--as", form, "-q").Output()
		if err != nil {
			t.Fatal(err)
		}
		if want := readFile(t, name); !bytes.Equal(out, want) {
			t.Errorf("%s: %q, want %q", form, out, want)
		}
	}
	var lean []string
	for column := range strings.SplitSeq(strings.TrimRight(string(readFile(t, filepath.Join(folder, "article.f5"))), "\n"), "\t") {
		if strings.IndexByte("UDFH", column[0]) >= 0 {
			lean = append(lean, column)
		}
	}
	name := filepath.Join(t.TempDir(), "lean.f5")
	if err := os.WriteFile(name, []byte(strings.Join(lean, "\t")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := process(t, t.TempDir(), "text", name, "--as", "f5", "-q").Output()
	if err != nil {
		t.Fatal(err)
	}
	// The second address of the sample ends in a word that its H does not have.
	want := strings.Replace(string(readFile(t, filepath.Join(folder, "article.f5"))), "8633649274/with", "8633649274/", 1)
	if strings.TrimRight(string(out), "\n") != strings.TrimRight(want, "\n") {
		t.Errorf("got  %q\nwant %q", out, want)
	}
}

// TestAnEntryWithoutContentIsItsPage: only where the feed itself came from the web.
func TestAnEntryWithoutContentIsItsPage(t *testing.T) {
	const entries = `<rss><channel><item><title>One</title><link>%[1]s/one</link></item><item><title>Two</title><link>%[1]s/gone</link></item>` +
		`<item><title>Three</title><link>%[1]s/three</link><description>Here</description></item></channel></rss>`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/feed":
			w.Header().Set("Content-Type", "application/rss+xml")
			fmt.Fprintf(w, entries, "http://"+r.Host)
		case "/one":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<title>Other</title><p>The page says “yes”.")
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	var said bytes.Buffer
	command := process(t, t.TempDir(), "text", server.URL+"/feed", "--allow-private", "--host-delay", "0s")
	command.Stderr = &said
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], `"text":"The page says “yes”."`) || !strings.Contains(lines[0], `"title":"One"`) ||
		!strings.Contains(lines[0], `"yes"`) || !strings.Contains(lines[0], `"added":"2`) || !strings.Contains(lines[1], `"text":"Here"`) {
		t.Errorf("%s", out)
	}
	if !strings.Contains(said.String(), "3 articles read, 2 kept, 1 empty") ||
		!strings.Contains(said.String(), "the page of an entry, "+server.URL+"/gone, can't be had") {
		t.Errorf("%s", said.String())
	}
	name := filepath.Join(t.TempDir(), "feed.xml")
	if err := os.WriteFile(name, fmt.Appendf(nil, entries, server.URL), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err = process(t, t.TempDir(), "text", name, "--allow-private", "-q").Output(); err != nil ||
		bytes.Count(out, []byte("\n")) != 1 {
		t.Errorf("%v: %s", err, out)
	}
}

// TestWorkBesideItselfChangesNothing: pages that are read at once come out in their order, with the same report.
func TestWorkBesideItselfChangesNothing(t *testing.T) {
	folder := t.TempDir()
	args := []string{"text", "--report", filepath.Join(folder, "report.json")}
	for i := range 60 {
		name := filepath.Join(folder, fmt.Sprintf("%02d.html", i))
		body := fmt.Sprintf("<title>%d</title>", i) + strings.Repeat(fmt.Sprintf("<p>He said \"%d\" and \"x</p>", i), i%7*300)
		if i%11 == 3 {
			body = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
		}
		if err := os.WriteFile(name, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	var first, second [2]string
	for i, got := range []*[2]string{&first, &second} {
		var said bytes.Buffer
		command := process(t, t.TempDir(), args...)
		command.Env = append(command.Env, fmt.Sprintf("GOMAXPROCS=%d", 1+3*i))
		command.Stderr = &said
		out, err := command.Output()
		if err != nil {
			t.Fatalf("%v: %s", err, said.String())
		}
		*got = [2]string{string(out), said.String()}
	}
	if first != second {
		t.Errorf("one thread:\n%.2000s\nfour:\n%.2000s", first[1], second[1])
	}
	if strings.Count(first[0], "\n") < 40 {
		t.Errorf("only %d articles", strings.Count(first[0], "\n"))
	}
}
