package jsonld

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
)

// pieces are the tokens of documents, each apart.
var pieces = map[string]string{
	"one node":       `{ "@context" : { "@vocab" : "http://v/" } , "@id" : "http://e/s" , "a" : "x // y" , "b" : [ 1 , true , null , { "@value" : "#" } ] , "c" : { "@list" : [ ] } }`,
	"an array":       `[ { "@id" : "http://e/s" , "http://v/p" : 1 } , { "@id" : "http://e/t" , "http://v/p" : { } } , { "@id" : "http://e/u" , "http://v/p" : "/* z */" } ]`,
	"a graph":        `{ "@graph" : [ { "@id" : "http://e/s" , "v:p" : 1 } , { "@id" : "http://e/t" , "v:p" : 2 } , { "@id" : "http://e/u" , "v:p" : 3 } ] , "@context" : { "v" : "http://v/" } }`,
	"a named graph":  `{ "@id" : "http://e/g" , "@graph" : { "@id" : "http://e/s" , "http://v/p" : [ "a" , "b" ] } , "http://v/q" : 7 }`,
	"several values": `{ "@id" : "http://e/s" , "http://v/p" : 1 } { "@id" : "http://e/t" , "http://v/p" : 2 } { "@id" : "http://e/u" , "http://v/p" : 3 }`,
}

var fillers = []struct{ text, end string }{
	{"// a remark", "\n"}, {`// "x": [1, {`, "\n"}, {"// it's } ] so", "\r\n"}, {"/* a */", ""}, {"/* a\n } \"b */", ""}, {"/***/", " "},
	{"/**/", ""},
	{"# a remark", "\n"}, {"#", "\n"}, {`#"x": 1,`, "\n"}, {"## = ##", "\r"}, {"\u00A0", ""}, {"\uFEFF", ""}, {"\u200B\u00A0", ""},
}

// What says nothing and stands between tokens costs no statement, wherever it stands, and is told
// once, in its place.
func TestWhatSaysNothingBetweenTokensCostsNothing(t *testing.T) {
	for name, text := range pieces {
		tokens := strings.Split(text, " ")
		tokens = joinStrings(tokens)
		for seed := range uint64(60) {
			random := rand.New(rand.NewPCG(seed, 1))
			var b strings.Builder
			var want []string
			for i := 0; i <= len(tokens); i++ {
				if random.IntN(3) == 0 {
					f := fillers[random.IntN(len(fillers))]
					b.WriteString([]string{" ", "\n", "\n\t"}[random.IntN(3)])
					code := fault.JSONComment
					if f.text[0] >= 0x80 {
						code = fault.SyntaxUnseen
					}
					line := 1 + strings.Count(b.String(), "\n")
					line += strings.Count(strings.ReplaceAll(b.String(), "\r\n", ""), "\r")
					want = append(want, fmt.Sprintf("%d %s repair 0", line, code))
					b.WriteString(f.text + f.end)
				}
				if i < len(tokens) {
					b.WriteString(" " + tokens[i])
				}
			}
			for _, hold := range []int64{1 << 20, 40, 1} {
				clean := readHolding(t, strings.Join(tokens, " "), Options{hold: hold}, false)
				got := readHolding(t, b.String(), Options{hold: hold}, seed%2 == 0)
				if !slices.Equal(got.Lines(), clean.Lines()) {
					t.Fatalf("%s, seed %d, hold %d: %s\nquads %q\n want %q\n%q", name, seed, hold, b.String(), got.Lines(), clean.Lines(),
						notices(got.Notices))
				}
				var found []string
				for _, n := range got.Notices {
					if n.Code != fault.JSONSeveral || name != "several values" {
						found = append(found, fmt.Sprintf("%d %s %s %d", n.Line, n.Code, n.Severity, n.Lost))
					}
				}
				if hold < 1<<20 { // the items of an array that was passed over are told of when it is read again
					slices.Sort(found)
					want = slices.Sorted(slices.Values(want))
				}
				if !slices.Equal(found, want) {
					t.Fatalf("%s, seed %d, hold %d: %s\nnotices %q\n   want %q", name, seed, hold, b.String(), found, want)
				}
				for _, q := range got.Quads {
					if q.Repaired {
						t.Fatalf("%s, seed %d: a comment touches %v", name, seed, q)
					}
				}
			}
		}
	}
}

// joinStrings puts strings together again that hold spaces.
func joinStrings(words []string) (tokens []string) {
	for _, word := range words {
		if n := len(tokens); n > 0 && strings.Count(tokens[n-1], `"`) == 1 {
			tokens[n-1] += " " + word
			continue
		}
		tokens = append(tokens, word)
	}
	return tokens
}

// Each row: a document, its statements, and the notices.
func TestWhatOnlyLooksLikeACommentIsNone(t *testing.T) {
	const x, y = `<http://e/s> <http://v/a> "x" .`, `<http://e/s> <http://v/b> "y" .`
	for _, row := range []struct {
		name, text     string
		quads, notices []string
	}{
		{"the rest of an IRI", `{"@id":"http://e/s","http://v/b":"y","http://v/a":"e.g."//v/x"}`, []string{y},
			[]string{"1:51 drop syntax/json 1"}},
		{"an IRI without quotation marks", "{\"@id\":\"http://e/s\",\n\"http://v/b\":\"y\",\n\"http://v/a\":http://v/x}", []string{y},
			[]string{"3:14 drop syntax/json 1"}},
		{"colours", "{\"@id\":\"http://e/s\",\n\"http://v/b\":\"y\",\n\"http://v/a\":[\n#ff0000,\n#00ff00\n]}", []string{y},
			[]string{"4:1 drop syntax/json 1", "5:1 drop syntax/json 1"}},
		{"a fragment", "{\"@id\":\"http://e/s\",\"http://v/a\": #x,\"http://v/b\":\"y\"}", []string{y},
			[]string{"1:35 drop syntax/json 1"}},
		{"one line that would lose all", `{"@id":"http://e/s","http://v/a": //v/x, "http://v/b":"y"}`, []string{y},
			[]string{"1:35 drop syntax/json 1"}},
		{"a comment that never ends", "{\"@id\":\"http://e/s\",\n/* a\n\"http://v/b\":\"y\"}", []string{y},
			[]string{"2:1 drop syntax/json 1"}},
		{"a comment in the place of a value", "{\"@id\":\"http://e/s\",\"http://v/a\": // x\n,\"http://v/b\":\"y\"}", []string{y},
			[]string{"2:1 drop syntax/json 1", "1:35 repair syntax/json-comment 0"}},
		{"a fault beside comments", "{\"@id\":\"http://e/s\", // a\n\"http://v/a\":\"x\" /* b */,, # c\n\"http://v/b\":\"y\"} // d",
			[]string{x, y},
			[]string{"1:22 repair syntax/json-comment 0", "2:18 repair syntax/json-comment 0", "2:26 repair syntax/json-comma 0",
				"2:28 repair syntax/json-comment 0", "3:19 repair syntax/json-comment 0"}},
		{"a string that is closed before a comment", "{\"@id\":\"http://e/s\",,\"http://v/a\":\"x\" // \"\n,\"http://v/b\":\"y\"}",
			[]string{x, y},
			[]string{"1:21 repair syntax/json-comma 0", "1:39 repair syntax/json-comment 0"}},
		{"a number before a comment", "{\"@id\":\"http://e/s\",\"http://v/b\":\"y\",\"http://v/a\":1/* one */}",
			[]string{y, `<http://e/s> <http://v/a> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .`},
			[]string{"1:52 repair syntax/json-comment 0"}},
		{"a broken line among lines",
			"{\"@id\":\"http://e/s\",\"http://v/b\":\"y\"} // {\n{\"@id\":\"http://e/s\",\"http://v/a\":} // }\n// z\n{\"@id\":\"http://e/s\",\"http://v/a\":\"x\"}",
			[]string{y, x},
			[]string{"1:39 repair syntax/json-comment 0", "2:34 drop syntax/json 1", "2:36 repair syntax/json-comment 0",
				"3:1 repair syntax/json-comment 0"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := readHolding(t, row.text, Options{}, false)
			if !slices.Equal(got.Lines(), row.quads) {
				t.Errorf("quads %q\n want %q", got.Lines(), row.quads)
			}
			var found []string
			for _, n := range got.Notices {
				found = append(found, fmt.Sprintf("%d:%d %s %s %d", n.Line, n.Column, n.Severity, n.Code, n.Lost))
			}
			if !slices.Equal(found, row.notices) {
				t.Errorf("notices %q\n   want %q", found, row.notices)
			}
		})
	}
}
