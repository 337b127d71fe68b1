package peers_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/rdf"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/ttl"
)

// A peer reads a text in a format ("ntriples", "turtle", "rdfxml").
type peer struct {
	name    string
	formats string // those it reads, between spaces
	ask     func(request) answer
}

// peers are those that can be asked here. What is not installed is said in the log.
func peersOf(t testing.TB) []peer {
	t.Helper()
	all := []peer{{"knakk", " ntriples turtle rdfxml ", newChild(t).ask}}
	dir := t.TempDir()
	for _, p := range []struct {
		name, formats string
		arguments     func(format, file, base string) []string
	}{
		{"serdi", " ntriples turtle ", func(format, file, base string) []string {
			return []string{"-i", format, "-o", "ntriples", file, base}
		}},
		{"rapper", " ntriples turtle rdfxml ", func(format, file, base string) []string {
			return []string{"-q", "-i", format, "-o", "ntriples", file, base}
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
			// serdi ends with 0 after lost statements too; only its messages tell.
			if message := strings.TrimSpace(messages.String()); err != nil || message != "" {
				if err != nil {
					message = err.Error() + ": " + message
				}
				return answer{Error: "error: " + message}
			}
			var c rdftest.Collector
			if _, err := ttl.Read(context.Background(), &out, rdf.Input{}, ttl.Options{Syntax: ttl.NTriples}, &c); err != nil {
				t.Fatal(err)
			}
			for _, n := range c.Notices {
				if n.Lost > 0 {
					return answer{Error: "error: its output is not N-Triples: " + n.Message + ": " + n.Excerpt}
				}
			}
			return answer{Quads: c.Quads}
		}})
	}
	return all
}
