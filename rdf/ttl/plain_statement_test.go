package ttl_test

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"laundromat/rdf/rdftest"
	"laundromat/rdf/ttl"
)

// signs are put into texts, and taken out of them: those that the grammar is made of, and what is rare.
var signs = []string{".", ";", ",", "[", "]", "(", ")", "{", "}", "{|", "|}", "<", ">", "<<", ">>", "\"", "'", "\"\"\"", "\\", "\\u00e9",
	"^^", "@en", "@prefix",
	"a ", "true ", "1.5 ", "2e3 ", "-", ":", "x:", "_:b ", "#", " ", "\n", "\r", "\r\n", "\t", "\x00", "\ufeff", "\u0301", "\u00d7", "é",
	"\xff", "%", "~", "  .\n", " }\n", "<http://a/b>"}

// damaged is text with some signs put in or taken out, or pieces moved.
func damaged(random *rand.Rand, text []byte) []byte {
	text = bytes.Clone(text)
	for range 1 + random.IntN(4) {
		at := random.IntN(len(text) + 1)
		sign := []byte(signs[random.IntN(len(signs))])
		switch random.IntN(4) {
		case 0:
			text = append(text[:at:at], append(sign, text[at:]...)...)
		case 1:
			if i := bytes.Index(text[at:], sign); i >= 0 {
				text = append(text[:at+i:at+i], text[at+i+len(sign):]...)
			}
		case 2:
			end := min(at+random.IntN(20), len(text))
			text = append(text[:at:at], text[end:]...)
		case 3:
			end := min(at+random.IntN(200), len(text))
			text = append(text[:end:end], text[at:]...)
		}
	}
	return text
}

// checkWhole says whether a text is read the same token by token and not.
func checkWhole(t *testing.T, text []byte, opt ttl.Options) {
	t.Helper()
	c, syntax := read(t, bytes.NewReader(text), opt)
	steps, s := read(t, bytes.NewReader(text), ttl.Stepwise(opt))
	got, want := dump(c), dump(steps)
	if got == want && s == syntax {
		return
	}
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	from := max(bytes.LastIndexByte([]byte(want[:i]), '\n'), 0)
	t.Fatalf("%v: read as a whole:\n%.800s\ntoken by token:\n%.800s\ntext: %.3000q", opt, got[from:], want[from:], text)
}

// TestWholeStatementsAreReadAsTokenByToken reads damaged pieces of real files.
func TestWholeStatementsAreReadAsTokenByToken(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var texts [][]byte
	err := filepath.WalkDir(rdftest.Shared(t, "real"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".ttl" && filepath.Ext(path) != ".trig" {
			return err
		}
		text, err := os.ReadFile(path)
		texts = append(texts, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2000 {
		text := texts[random.IntN(len(texts))]
		from := random.IntN(len(text) + 1)
		directives := text[:min(len(text), random.IntN(2000))]
		text = append(bytes.Clone(directives), text[from:min(from+random.IntN(6000), len(text))]...)
		if random.IntN(2) == 0 { // graphs
			text = bytes.ReplaceAll(text, []byte(".\n\n"), []byte(".\n}\n<http://a/g> {\n"))
		}
		opt := ttl.Options{Syntax: ttl.Turtle, MayHandOver: random.IntN(2) == 0}
		if random.IntN(2) == 0 {
			opt.Syntax = ttl.TriG
		}
		if random.IntN(4) == 0 {
			opt.MaxToken = 20 + random.IntN(100)
		}
		checkWhole(t, damaged(random, text), opt)
	}
}
