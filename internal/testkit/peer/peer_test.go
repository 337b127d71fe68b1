package peer_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laundromat/internal/testkit/peer"
)

// texts say the same statement in every format, and a fault on line 2.
var texts = map[string]struct{ clean, broken string }{
	"N-Triples": {`<http://e/s> <http://e/p> "o" .`, "<http://e/s> <http://e/p> \"o\" .\n<http://e/s> <> \"o .\n"},
	"N-Quads":   {`<http://e/s> <http://e/p> "o" .`, "<http://e/s> <http://e/p> \"o\" .\n<http://e/s> <> \"o .\n"},
	"Turtle":    {`<http://e/s> <http://e/p> "o" .`, "<http://e/s> <http://e/p> \"o\" .\n<http://e/s> ] \"o .\n"},
	"TriG":      {`{ <http://e/s> <http://e/p> "o" . }`, "{ <http://e/s> <http://e/p> \"o\" . }\n{ <http://e/s> ] \"o .\n"},
	"RDF/XML": {`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="http://e/s"><p xmlns="http://e/">o</p></rdf:Description></rdf:RDF>`,
		"<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n<a></b></rdf:RDF>"},
	"JSON-LD": {`{"@id": "http://e/s", "http://e/p": "o"}`, "{\"@id\": \"http://e/s\",\n ]}"},
}

// TestEveryPeerReadsEveryFormatThatItKnows asks what is installed, and more than once
// where a peer answers many requests.
func TestEveryPeerReadsEveryFormatThatItKnows(t *testing.T) {
	ctx := context.Background()
	folder := t.TempDir()
	found, missing, err := peer.Find(ctx, folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range missing {
		t.Logf("%s: %s", m.Name, m.Why)
	}
	if len(found) == 0 {
		t.Skip("no other program is installed")
	}
	file := filepath.Join(folder, "text")
	for _, p := range found {
		defer p.Close()
		for _, format := range peer.Formats {
			if !p.Reads(format) {
				continue
			}
			if err := os.WriteFile(file, []byte(texts[format].clean), 0o600); err != nil {
				t.Fatal(err)
			}
			a, err := p.Read(ctx, format, file, "http://example.org/doc", time.Minute)
			if err != nil || strings.TrimSpace(a.Quads) != `<http://e/s> <http://e/p> "o" .` || a.Stopped {
				t.Errorf("%v, %s: %+v, %v", p, format, a, err)
			}
			if err := os.WriteFile(file, []byte(texts[format].broken), 0o600); err != nil {
				t.Fatal(err)
			}
			if a, err := p.Read(ctx, format, file, "http://example.org/doc", time.Minute); err != nil || a.Error == "" {
				t.Errorf("%v, %s, broken: %+v, %v", p, format, a, err)
			}
			if format != "N-Triples" && p.Reads("N-Triples") {
				continue // some commands are slow to start: one format of each is enough
			}
			if err := os.WriteFile(file, []byte(texts[format].clean), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := p.Convert(ctx, format, file, "http://example.org/doc").Output()
			if err != nil || strings.TrimSpace(string(out)) != `<http://e/s> <http://e/p> "o" .` {
				t.Errorf("%v, %s: the command writes %q, %v", p, format, out, err)
			}
		}
	}
}
