package states_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
)

// utf8Names are what most of a document says, in UTF-8.
var utf8Names = []string{"Müller", "José", "Łódź", "Đorđe", "東京", "Москва", "Αθήνα", "Ñandú"}

// among puts a piece of a document among n others with names in UTF-8.
func among(head, each, piece, tail string, n int) []byte {
	var b strings.Builder
	b.WriteString(head)
	for i := range n {
		if i == n/2 {
			b.WriteString(piece)
		}
		fmt.Fprintf(&b, each, i, utf8Names[i%len(utf8Names)])
	}
	return []byte(b.String() + tail)
}

// A word in another encoding among UTF-8 is read in that, in whatever term of whatever format it
// is. Bytes that make no word cost their statement. Neither touches another statement, and no
// character is ever replaced.
func TestWordsInAnotherEncodingAreReadAmongUTF8(t *testing.T) {
	lines := []string{"", "<http://e/%d> <http://e/p> \"%s\" .\n", ""}
	turtle := []string{"@prefix e: <http://e/> .\n", "e:s%d e:p \"%s\"@de .\n", ""}
	xml := []string{"<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:e=\"http://e/\">\n",
		"<rdf:Description rdf:about=\"http://e/%d\"><e:p>%s</e:p></rdf:Description>\n", "</rdf:RDF>\n"}
	json := []string{`{"@context":{"@vocab":"http://e/"},"@graph":[`, `{"@id":"http://e/%d","p":"%s"},`, `{"@id":"http://e/end","p":"x"}]}`}
	page := []string{`<!DOCTYPE html><html><body>`, `<div about="http://e/%d"><span property="http://e/p">%s</span></div>` + "\n",
		`</body></html>`}
	for _, c := range []struct {
		name  string
		parts []string
		piece string
		want  string // a line of the output; "" if the statement is lost; "-" if there is none
	}{
		{"x.nt", lines, "<http://e/x> <http://e/p> \"Garc\xEDa\" .\n", `<http://e/x> <http://e/p> "García" .`},
		{"x.nt", lines, "<http://e/x> <http://e/p> \"\xCC\xEE\xF1\xEA\xE2\xE0\" .\n", `<http://e/x> <http://e/p> "Москва" .`},
		{"x.nt", lines, "<http://e/x> <http://e/pr\xE9nom> \"x\" .\n", `<http://e/x> <http://e/prénom> "x" .`},
		{"x.nt", lines, "<http://e/x> <http://e/p> \"x\"^^<http://e/pr\xE9nom> .\n", `<http://e/x> <http://e/p> "x"^^<http://e/prénom> .`},
		{"x.nt", lines, "<http://e/x> <http://e/p> \"\xC3\xFF 1\" .\n", ""},
		{"x.nt", lines, "<http://e/x> <http://e/p> \"x\"@fran\xE7ais .\n", ""},
		{"x.nt", lines, "# Garc\xEDa\n", "-"},
		{"x.nq", lines, "<http://e/x> <http://e/p> \"x\" <http://e/caf\xE9> .\n", `<http://e/x> <http://e/p> "x" <http://e/café> .`},
		{"x.ttl", turtle, "e:x e:p \"\"\"Garc\xEDa\nL\xF3pez\"\"\" .\n", `<http://e/x> <http://e/p> "García\nLópez" .`},
		{"x.ttl", turtle, "@prefix c: <http://e/caf\xE9/> . c:x e:p \"x\" .\n", `<http://e/café/x> <http://e/p> "x" .`},
		{"x.ttl", turtle, "# Garc\xEDa \xFF\n", "-"},
		{"x.trig", turtle, "<http://e/caf\xE9> { e:x e:p \"x\" }\n", `<http://e/x> <http://e/p> "x" <http://e/café> .`},
		{"x.ttl", turtle, "e:caf\xE9 e:p \"x\" .\n", `<http://e/café> <http://e/p> "x" .`},
		{"x.ttl", turtle, "e:x e:p \"x\"@fran\xE7ais .\n", ""},
		{"x.ttl", turtle, "e:x e:p \"x\"^^e:pr\xE9nom .\n", `<http://e/x> <http://e/p> "x"^^<http://e/prénom> .`},
		{"x.trig", turtle, "e:caf\xE9 { e:x e:p \"x\" }\n", `<http://e/x> <http://e/p> "x" <http://e/café> .`},
		{"x.rdf", xml, "<rdf:Description rdf:about=\"http://e/x\"><e:p>Garc\xEDa</e:p></rdf:Description>\n",
			`<http://e/x> <http://e/p> "García" .`},
		{"x.rdf", xml, "<rdf:Description rdf:about=\"http://e/caf\xE9\" e:q=\"Garc\xEDa\"/>\n", `<http://e/café> <http://e/q> "García" .`},
		{"x.rdf", xml, "<rdf:Description rdf:about=\"http://e/x\"><e:p xml:lang=\"fran\xE7ais\">x</e:p></rdf:Description>\n", ""},
		{"x.rdf", xml, "<rdf:Description rdf:about=\"http://e/x\"><e:p>\xC3\xFF 1</e:p></rdf:Description>\n", ""},
		{"x.rdf", xml, "<rdf:Description rdf:about=\"http://e/x\"><e:pr\xE9nom>x</e:pr\xE9nom></rdf:Description>\n",
			`<http://e/x> <http://e/prénom> "x" .`},
		{"x.rdf", xml, "<rdf:Description rdf:about=\"http://e/x\" e:pr\xE9nom=\"x\"/>\n", `<http://e/x> <http://e/prénom> "x" .`},
		{"x.rdf", xml, "<!-- Garc\xEDa \xFF --><?x \xFF?>\n", "-"},
		{"x.jsonld", json, "{\"@id\":\"http://e/x\",\"p\":\"Garc\xEDa\"},", `<http://e/x> <http://e/p> "García" .`},
		{"x.jsonld", json, "{\"@id\":\"http://e/caf\xE9\",\"pr\xE9nom\":\"x\"},", `<http://e/café> <http://e/prénom> "x" .`},
		{"x.jsonld", json, "{\"@id\":\"http://e/x\",\"p\":\"\xC3\xFF 1\"},", ""},
		{"x.html", page, "<div about=\"http://e/x\"><span property=\"http://e/p\">Garc\xEDa</span></div>\n",
			`<http://e/x> <http://e/p> "García" .`},
		{"x.html", page, "<div about=\"http://e/caf\xE9\"><span property=\"http://e/p\" content=\"Garc\xEDa\">x</span></div>\n",
			`<http://e/café> <http://e/p> "García" .`},
		{"x.html", page, "<div about=\"http://e/x\"><span property=\"http://e/p\">\xC3\xFF 1</span></div>\n", ""},
		{"x.html", page, "<!-- Garc\xEDa --><p>\xFF</p>\n", "-"},
	} {
		const n = 60
		in := among(c.parts[0], c.parts[1], c.piece, c.parts[2], n)
		without := wash(t, washing{}, c.name, among(c.parts[0], c.parts[1], "", c.parts[2], n))
		w := wash(t, washing{}, c.name, in)
		d := w.documents[0]
		want := slices.Clone(without.lines)
		s := without.totals
		switch c.want {
		case "-":
		case "":
			s.Read, s.Dropped = s.Read+1, s.Dropped+1
		default:
			want = append(want, c.want)
			slices.Sort(want)
			s.Read, s.Repaired, s.Written = s.Read+1, s.Repaired+1, s.Written+1
		}
		if !slices.Equal(w.lines, want) || w.totals != s || d.Encoding != "utf-8" || d.Notices[fault.EncodingMixed] != 1 {
			t.Errorf("%s %q: %s, %+v, not %+v, %v\n%q", c.name, c.piece, d.Encoding, w.totals, s, d.Notices,
				newLines(w.lines, without.lines))
		}
		if repaired := c.want != "" && c.want != "-"; repaired != (d.Notices[fault.EncodingMixedBytes] > 0) {
			t.Errorf("%s %q: %v", c.name, c.piece, d.Notices)
		}
		for _, line := range w.lines {
			if strings.ContainsRune(line, '\uFFFD') {
				t.Errorf("%s %q: a character was replaced: %s", c.name, c.piece, line)
			}
		}
		how := washing{}
		how.settings.Clean.Strict = true
		if strict := wash(t, how, c.name, in); !slices.Equal(strict.lines, without.lines) {
			t.Errorf("%s %q: strict keeps %q", c.name, c.piece, newLines(strict.lines, without.lines))
		}
	}
}

func newLines(lines, known []string) (added []string) {
	for _, line := range lines {
		if !slices.Contains(known, line) {
			added = append(added, line)
		}
	}
	return added
}

// From 95 % on a document is UTF-8 whatever is declared. Below, its words decide as a
// whole; they too may say that it is UTF-8, and no word is then read twice over.
func TestShareOfUTF8DecidesBeforeWordsDo(t *testing.T) {
	const n = 200
	for _, c := range []struct {
		stray    int
		declared string
		notice   fault.Code
	}{
		{1, "", fault.EncodingMixed},
		{8, "ISO-8859-1", fault.EncodingDisagreement},
		{10, "", fault.EncodingMixed},
		{12, "", fault.EncodingMixed},
		{12, "ISO-8859-1", fault.EncodingDisagreement},
		{180, "", fault.EncodingMixed},
		{n, "", fault.EncodingGuessed},
		{n, "ISO-8859-1", ""},
	} {
		var in, want []string
		for i := range n {
			word := "García"
			if i*7919%n < c.stray {
				word = "Garc\xEDa"
			}
			in = append(in, fmt.Sprintf("<http://e/%03d> <http://e/p> \"%s\" .\n", i, word))
			want = append(want, fmt.Sprintf("<http://e/%03d> <http://e/p> \"García\" .", i))
		}
		how := washing{}
		if c.declared != "" {
			how.given.ContentType = "application/n-triples; charset=" + c.declared
		}
		w := wash(t, how, "x.nt", []byte(strings.Join(in, "")))
		d := w.documents[0]
		repaired := int64(c.stray)
		if c.stray == n {
			repaired = 0
		}
		if !slices.Equal(w.lines, want) || w.totals.Repaired != repaired || c.notice != "" && d.Notices[c.notice] == 0 ||
			(d.Encoding == "utf-8") != (c.stray < n) {
			t.Errorf("%d of %d, declared %q: %s, %+v, %v", c.stray, n, c.declared, d.Encoding, w.totals, d.Notices)
		}
	}
}
