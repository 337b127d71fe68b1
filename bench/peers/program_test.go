package peers_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	others "laundromat/internal/testkit/peer"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/ttl"
)

// A peer reads a text in a format, which is a key of formats.
type peer struct {
	name    string
	formats string // those it reads, between spaces
	ask     func(request) answer
	// values says that it writes numbers in forms of its own, so that literals are
	// compared by value.
	values bool
}

// peers are those that can be asked here. What is not installed is said in the log.
func peersOf(t testing.TB) []peer {
	t.Helper()
	all := []peer{{"knakk", " ntriples turtle rdfxml ", newChild(t).ask, false}}
	dir := t.TempDir()
	for _, p := range []struct {
		name, formats string
		arguments     func(format, file, base string) []string
	}{
		{"serdi", " ntriples nquads turtle trig ", func(format, file, base string) []string {
			return []string{"-i", format, "-o", "nquads", file, base}
		}},
		{"rapper", " ntriples nquads turtle trig rdfxml ", func(format, file, base string) []string {
			return []string{"-q", "-i", format, "-o", "nquads", file, base}
		}},
	} {
		program, err := exec.LookPath(p.name)
		if err != nil {
			t.Logf("%s is not installed, and not asked", p.name)
			continue
		}
		all = append(all, peer{p.name, p.formats, func(q request) answer {
			file := filepath.Join(dir, "document")
			if err := os.WriteFile(file, q.Text, 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(program, p.arguments(q.Format, file, q.Base)...)
			var out, messages bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &messages
			err := cmd.Run()
			// serdi ends with 0 after lost statements too; only its messages show that.
			if message := strings.TrimSpace(messages.String()); err != nil || message != "" {
				if err != nil {
					message = err.Error() + ": " + message
				}
				return answer{Error: "error: " + message}
			}
			return written(t, out.String())
		}, false})
	}
	found, missing, err := others.Find(context.Background(), dir, "rdflib")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range missing {
		t.Logf("%s is not installed (%s), and not asked", m.Name, m.Why)
	}
	for _, p := range found {
		t.Cleanup(p.Close)
		all = append(all, peer{p.Name, " ntriples nquads turtle trig rdfxml ", func(q request) answer {
			file := filepath.Join(dir, "document")
			if err := os.WriteFile(file, q.Text, 0o600); err != nil {
				t.Fatal(err)
			}
			a, err := p.Read(context.Background(), string(formats[q.Format]), file, q.Base, time.Minute)
			switch {
			case err != nil:
				t.Fatal(err)
			case a.Error == "died":
				return answer{Error: died}
			case a.Error != "":
				return answer{Error: "error: " + a.Error}
			}
			return written(t, a.Quads)
		}, true})
	}
	return all
}

// written is what a peer wrote as N-Quads.
func written(t testing.TB, text string) answer {
	t.Helper()
	var c rdftest.Collector
	if _, err := ttl.Read(context.Background(), strings.NewReader(text), rdf.Input{}, ttl.Options{Syntax: ttl.NQuads}, &c); err != nil {
		t.Fatal(err)
	}
	for _, n := range c.Notices {
		if n.Lost > 0 {
			return answer{Error: "error: its output is not N-Quads: " + n.Message + ": " + n.Excerpt}
		}
	}
	return answer{Quads: c.Quads}
}

// byValue writes literals in their canonical form, so that they are compared by value.
func byValue(t testing.TB, quads []rdf.Quad) []rdf.Quad {
	t.Helper()
	var text strings.Builder
	first, tally := clean.Chain(clean.Options{KeepBlankNodes: true, HasAnonymous: true}, clean.EachLine(func(line []byte) error {
		text.Write(line)
		return text.WriteByte('\n')
	}),

		nil)

	for i := range quads {
		q := quads[i] // sinks may change it
		if err := first.Quad(&q); err != nil {
			t.Fatal(err)
		}
	}
	tally.Close()
	return written(t, text.String()).Quads
}
