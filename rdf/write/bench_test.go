package write_test

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"testing"

	"laundromat/rdf/write"
)

// BenchmarkWrite is how fast sorted lines are written, in bytes of lines. They are those of the file that
// LAUNDROMAT_LINES names, else some that look like those of a catalog.
func BenchmarkWrite(b *testing.B) {
	lines := benchmarkLines(b)
	prefixes := &write.Prefixes{}
	for _, p := range [][2]string{{"ex", "http://example.org/"}, {"schema", "http://schema.org/"}, {"foaf", "http://xmlns.com/foaf/0.1/"},
		{"rdfs", "http://www.w3.org/2000/01/rdf-schema#"}, {"owl", "http://www.w3.org/2002/07/owl#"},
		{"obo", "http://purl.obolibrary.org/obo/"}} {
		if err := prefixes.Set(p[0], p[1]); err != nil {
			b.Fatal(err)
		}
	}
	for _, syntax := range written {
		b.Run(syntax.String(), func(b *testing.B) {
			text := lines
			if syntax.WantsGraphFirst() {
				text = write.AppendGraphFirst(nil, lines)
			}
			var ends, shared []int
			var last []byte
			for from := 0; from < len(text); {
				end := from + bytes.IndexByte(text[from:], '\n') + 1
				n := 0
				for n < len(last) && n < end-from && last[n] == text[from+n] {
					n++
				}
				ends, shared, last, from = append(ends, end), append(shared, n), text[from:end], end
			}
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				w := write.New(syntax, io.Discard, prefixes)
				if err := w.Lines(text, ends, shared); err != nil {
					b.Fatal(err)
				}
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func benchmarkLines(b *testing.B) []byte {
	if name := os.Getenv("LAUNDROMAT_LINES"); name != "" {
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		return text
	}
	var out bytes.Buffer
	w := bufio.NewWriter(&out)
	for i := range 20_000 {
		for _, rest := range []string{
			"<http://schema.org/name> \"the name of a thing\"@en .\n",
			"<http://schema.org/size> \"5\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n",
			"<http://schema.org/url> <http://example.org/page> .\n",
			"<http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://schema.org/Thing> .\n",
		} {
			w.WriteString("<http://example.org/")
			w.WriteString([]string{"a", "b", "c"}[i%3])
			w.WriteString(string(rune('a' + i%26)))
			w.WriteString("> ")
			w.WriteString(rest)
		}
	}
	w.Flush()
	return out.Bytes()
}
