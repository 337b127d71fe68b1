package jsonld_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/jsonld"
	"laundromat/rdf/rdftest"
)

// sound is a node of JSON on one line, of 42 characters; saying is what it says.
const (
	sound  = `{"@id": "http://e/s", "http://e/p": "val"}`
	saying = `<http://e/s> <http://e/p> "val" .`
)

// Each row: a text around a sound value, and the places of the repairs that tell of it. Nothing is lost.
func TestWhatStandsAroundASoundValueIsToldAsARepair(t *testing.T) {
	for _, row := range []struct{ name, before, behind, told string }{
		{"a semicolon", "", ";", "stray 1:43"},
		{"two", "", ";;\n", "stray 1:43"},
		{"one on its own line", "", "\n;\n", "stray 2:1"},
		{"one behind blanks", "", "  ;", "stray 1:45"},
		{"a dot", "", ".", "stray 1:43"},
		{"a bracket", "", ")", "stray 1:43"},
		{"an end tag", "", "</p>", "stray 1:43"},
		{"end tags on lines", "", "\n</body>\n</html>\n", "stray 2:1"},
		{"a script", "<script type=\"application/ld+json\">\n", "\n</script>\n", "stray 1:1, stray 3:1"},
		{"JSONP", "cb(", ");", "stray 1:1, stray 1:46"},
		{"JSONP with a comment", "/**/cb(", ");", "comment 1:1, stray 1:5, stray 1:50"},
		{"a return", "return ", ";", "stray 1:1, stray 1:50"},
		{"a variable", "var x = ", ";", "stray 1:1, stray 1:51"},
		{"a module", "module.exports = ", "", "stray 1:1"},
		{"an export", "export default ", ";\n", "stray 1:1, stray 1:58"},
		{"a member of the window", "window.x = ", ";", "stray 1:1, stray 1:54"},
		{"an index", `window["a b"] = `, ";", "stray 1:1, stray 1:59"},
		{"a function", "(function () { return ", "; })();", "stray 1:1, stray 1:65"},
		{"a string of JavaScript", "JSON.parse('", "');", "stray 1:1, stray 1:55"},
		{"a fence", "```json\n", "\n```\n", "stray 1:1, stray 3:1"},
		{"a fence of tildes", "~~~\n", "\n~~~", "stray 1:1, stray 3:1"},
		{"prose and a fence", "Here it is:\n\n```json\n", "\n```\n\nI hope that helps!\n", "stray 1:1, stray 5:1"},
		{"a comment of HTML", "<!--\n", "\n-->", "stray 1:1, stray 3:1"},
		{"a CDATA section", "<![CDATA[", "]]>", "stray 1:1, stray 1:52"},
		{"one behind slashes", "//<![CDATA[\n", "\n//]]>", "comment 1:1, comment 3:1"},
		{"a guard of Angular", ")]}',\n", "", "stray 1:1"},
		{"a guard of loops", "while(1);", "", "stray 1:1"},
		{"another", "for (;;);\n", "", "stray 1:1"},
		{"byte order marks", "\uFEFF", "\uFEFF\n\uFEFF", "unseen 1:1, unseen 1:44, unseen 2:1"},
		{"NULs", "\x00", "\x00\x00", "unseen 1:1, unseen 1:44"},
		{"comments", "/* a */ ", " // b\n# c", "comment 1:1, comment 1:52, comment 2:1"},
		{"backslashes at line ends", "\\\n", "\\\n", "stray 1:1, stray 2:43"},
		{"undefined", "", " undefined", "stray 1:44"},
		{"three dots", "", "\n...\n", "stray 2:1"},
		{"an ellipsis", "…\n", " …", "stray 1:1, stray 2:44"},
		{"documents of YAML", "---\n", "\n...\n", "stray 1:1, stray 3:1"},
		{"a quotation mark", "", `"`, "stray 1:43"},
		{"a comma", "", ",", "comma 1:43"},
		{"a comma before it", ",", "", "comma 1:1"},
		{"a brace", "", "}", "bracket 1:43"},
		{"a brace and a semicolon", "", "};", "bracket 1:43, stray 1:44"},
		{"a comma and a semicolon", "", ",;", "comma 1:43, stray 1:44"},
		{"a log", "2026-01-02 03:04:05 INFO start\n", "\n2026-01-02 03:04:06 INFO end\n", "stray 1:1, stray 3:1"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := read(t, row.before+sound+row.behind, jsonld.Options{})
			var told []string
			for _, n := range got.Notices {
				code := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(string(n.Code), "syntax/"), "json-"), "-mark")
				told = append(told, fmt.Sprintf("%s %d:%d", code, n.Line, n.Column))
				if n.Severity != fault.Repair || n.Lost != 0 {
					t.Errorf("%s is told as %s, with %d lost", n.Code, n.Severity, n.Lost)
				}
			}
			if lines := got.Lines(); !slices.Equal(lines, []string{saying}) || strings.Join(told, ", ") != row.told {
				t.Errorf("%q: %s\n%s\nnot\n%s", row.before+"…"+row.behind, lines, strings.Join(told, ", "), row.told)
			}
		})
	}
}

// What stands behind a sound value and may hold a part of a node or a triple is a drop.
func TestARestThatMayHoldAStatementIsADrop(t *testing.T) {
	for _, rest := range []string{
		`{"@id": "x", "p": `, `{"@id": "http://e/t", "http://e/p": }`, "\n" + `"http://e/q": "y"}`, `"http://e/q": "y"}`,
		`; "http://e/q": 1`, "\n@id: http://e/t", "\nname: 'x'", "\nname: 5", "\n: \"x\"}", `[{"@id": "http://e/t"`,
		"\n<http://e/t> <http://e/p> <http://e/o> .", "\n<http://e/t> <http://e/p> \"x\" .", "\n_:b <http://e/p> \"x\" .",
		"\ne:t e:p \"x\" .",
		"\n<rdf:Description rdf:about=\"http://e/t\">", "\n\"http://e/q\":\n", "\n\xff\xfe\xfd\xfc\xfb",
	} {
		got := read(t, sound+rest, jsonld.Options{})
		if !slices.Contains(got.Lines(), saying) || got.Lost() == 0 {
			t.Errorf("%q: %s, %d lost\n%s", rest, got.Lines(), got.Lost(), strings.Join(shown(got.Notices), "\n"))
		}
	}
}

// Values one behind another are read, and told of unless each stands on its line; in a script of a page also then.
func TestSeveralValuesAreReadAndTold(t *testing.T) {
	const node = `{"@id":"http://e/s","http://e/p":"x"}`
	const pretty = "{\n\"@id\":\"http://e/s\",\n\"http://e/p\":\"x\"\n}"
	for _, row := range []struct {
		name, text string
		oneValue   bool
		n          int
		told       []string
	}{
		{"on one line", node + node, false, 2, []string{"1:38"}},
		{"with a blank", node + " " + node + " " + node, false, 3, []string{"1:39", "1:77"}},
		{"lines", node + "\n" + node + "\n", false, 2, nil},
		{"lines with CR and LF, and one empty", node + "\r\n\r\n" + node + "\r\n", false, 2, nil},
		{"lines behind a mark", "\uFEFF" + node + "\n\uFEFF" + node + "\n", false, 2, nil},
		{"lines of a script", node + "\n" + node + "\n", true, 2, []string{"2:1"}},
		{"one value of a script", "\n" + node + "\n", true, 1, nil},
		{"indented", pretty + "\n" + pretty, false, 2, []string{"5:1"}},
		{"a line and one indented", node + "\n" + pretty, false, 2, []string{"2:1"}},
		{"indented, and a line", pretty + "\n" + node, false, 2, []string{"5:1"}},
		{"brace beside brace", pretty + pretty, false, 2, []string{"4:2"}},
		{"arrays", "[" + node + "][" + node + "]", false, 2, []string{"1:40"}},
		{"arrays on lines", "[" + node + "]\n[" + node + "]", false, 2, nil},
		{"an array and an object", "[" + node + "] " + node, false, 2, []string{"1:41"}},
		{"an empty array before", "[]" + node, false, 1, []string{"1:3"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := read(t, row.text, jsonld.Options{OneValue: row.oneValue})
			var told []string
			for _, n := range got.Notices {
				if n.Code == fault.JSONSeveral && n.Severity == fault.Repair {
					told = append(told, fmt.Sprintf("%d:%d", n.Line, n.Column))
				}
			}
			others := len(got.Notices) - len(told) - strings.Count(row.text, "\uFEFF")
			if len(got.Lines()) != row.n || !slices.Equal(told, row.told) || others != 0 || got.Lost() > 0 {
				t.Errorf("%d statements, told %s, not %s\n%s", len(got.Lines()), told, row.told, strings.Join(shown(got.Notices), "\n"))
			}
		})
	}
}

// Signs behind items with brackets, the dots of one who left items out, and tags between lines cost no item.
func TestSignsBetweenItemsCostNone(t *testing.T) {
	const a, b = `{"@id":"http://e/a","http://e/p":"x"}`, `{"@id":"http://e/b","http://e/p":"y"}`
	for _, form := range []string{
		"[%s, ..., %s]", "[%s, …, %s]", "[..., %s, %s]", "[%s, %s, ...]", "[%s, %s...]", "[%s., %s]", "[%s), %s.]", "[%s;,%s]",
		"[%s;\n%s;\n]",
		"[\n%s,\n...\n%s\n]", `{"@graph": [%s, ..., %s]}`, `{"@graph": [%s, %s].}`, "[%s,<br />\n%s<br />\n]", "[<br>\n%s\n<br>,\n%s]",
		"{\"@graph\":<br />\n[%s,</p>\n<p>\n%s]<br />\n}",
	} {
		text := fmt.Sprintf(form, a, b)
		got := read(t, text, jsonld.Options{})
		if len(got.Lines()) != 2 || got.Lost() > 0 || got.Worst() != fault.Repair {
			t.Errorf("%s\n%s\n%s", text, got.Lines(), strings.Join(shown(got.Notices), "\n"))
		}
	}
}

// unseen are marks that can't be seen, all the white space of Unicode among them that JSON does not have.
var unseen = []string{"\v", "\f", "\x00", "\x1A", "\u007F", "\u0085", "\u00A0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004",
	"\u2005",
	"\u2006", "\u2007", "\u2008", "\u2009", "\u200A", "\u200B", "\u200E", "\u2028", "\u2029", "\u202F", "\u205F", "\u2060", "\u3000",
	"\uFEFF"}

// Marks that can't be seen cost nothing before and behind every token, and are told once where they begin.
func TestUnseenMarksCostNothingAtAnyToken(t *testing.T) {
	tokens := strings.Fields(
		`{ "@id" : "http://e/s" , "http://e/n" : 5 , "http://e/d" : -1.5e3 , "http://e/t" : true , "http://e/f" : [ false , null , "x" , { } ] , "http://e/o" : { "@id" : "http://e/o" } }`)
	want := read(t, strings.Join(tokens, " "), jsonld.Options{}).Lines()
	try := func(name string, gaps []string) {
		text := gaps[0]
		var told []string
		column := func(n int) int { return len([]rune(text[:n])) + 1 }
		if gaps[0] != "" {
			told = append(told, fmt.Sprintf("repair syntax/unseen-mark 1:%d 0", column(0)))
		}
		for i, one := range tokens {
			text += one
			if gap := gaps[i+1]; gap != "" {
				at := len(text)
				text += gap
				told = append(told, fmt.Sprintf("repair syntax/unseen-mark 1:%d 0", column(at)))
			}
		}
		got := read(t, text, jsonld.Options{})
		if lines := got.Lines(); !slices.Equal(lines, want) || !slices.Equal(shown(got.Notices), told) {
			t.Errorf("%s: %q\n%s\nnot\n%s\n%s\nnot\n%s", name, text, strings.Join(lines, "\n"), strings.Join(want, "\n"),
				strings.Join(shown(got.Notices), "\n"), strings.Join(told, "\n"))
		}
	}
	for _, mark := range unseen {
		for at := range len(tokens) + 1 {
			gaps := make([]string, len(tokens)+1)
			gaps[at] = mark
			try(fmt.Sprintf("%q at %d", mark, at), gaps)
		}
	}
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 72))
		gaps := make([]string, len(tokens)+1)
		for i := range gaps {
			for random.IntN(3) == 0 {
				gaps[i] += unseen[random.IntN(len(unseen))]
			}
		}
		try(fmt.Sprintf("seed %d", seed), gaps)
	}
}

// The law: a drop is told if, and only if, something is lost that could have been a statement.
// Around values that a second reader finds sound stands what holds no member, no node and no
// triple; behind some, a piece of a node.
func TestADropMeansThatAStatementMayBeLost(t *testing.T) {
	before := []string{"", "cb(", "return ", "const data = ", "a.b['c'] = ", "```json\n", "~~~\n", ")]}'\n", "for(;;);", "\uFEFF\u2003",
		"<pre>", "<!--\n", "some words\n", "(", "/* c */", "\\\n", "callback && callback(", "…\n"}
	behind := []string{"", ";", ");", ".", "\n```", "\n~~~\n", "</pre>", "\n-->", " undefined", "\nsome words, and more.\n", ")",
		"\u00A0\u2003", "// c", ";\n})();", "\n...", "\n\n;\n", "\\", "<br/>", "\x00\x00"}
	pieces := []string{`{"@id": "http://e/lost", "http://e/p": `, `{"http://e/q": "y", `, `"http://e/q": "y"}`,
		"\n\"@type\": \"http://e/T\"}", `[{"@id": "http://e/lost", "http://e/p"`, "\n@type: http://e/T",
		"\n<http://e/l> <http://e/p> <http://e/o> .\n"}
	var values, texts []string
	for seed := range uint64(240) {
		random := rand.New(rand.NewPCG(seed, 58))
		pick := func(all []string) string { return all[random.IntN(len(all))] }
		var nodes []any
		for range 1 + random.IntN(4) {
			nodes = append(nodes, map[string]any{"@id": fmt.Sprintf("http://e/n%d", random.IntN(100)),
				"http://e/p": []any{pick([]string{"a", "b;c", "d). {", "```"}), random.IntN(9), random.IntN(2) == 0}})
		}
		document := []any{nodes, nodes[0], map[string]any{"@graph": nodes}}[random.IntN(3)]
		value, err := json.Marshal(document)
		if random.IntN(2) == 0 {
			value, err = json.MarshalIndent(document, "", "  ")
		}
		if err != nil || !json.Valid(value) {
			t.Fatal(err)
		}
		want := read(t, string(value), jsonld.Options{})
		if len(want.Notices) > 0 {
			t.Fatalf("%s: %v", value, shown(want.Notices))
		}
		text := pick(before) + string(value) + pick(behind)
		lossy := seed%4 == 3
		if lossy {
			text = string(value) + pick(pieces)
		}
		if text != string(value) {
			values, texts = append(values, string(value)), append(texts, text)
		}
		got := read(t, text, jsonld.Options{})
		for _, line := range want.Lines() {
			if !slices.Contains(got.Lines(), line) {
				t.Errorf("seed %d: %s\nloses %s\n%s", seed, text, line, strings.Join(shown(got.Notices), "\n"))
			}
		}
		if dropped := got.Worst() == fault.Drop; dropped != lossy || len(got.Quads) < len(want.Quads) || !lossy &&
			len(got.Quads) != len(want.Quads) {
			t.Errorf("seed %d: %s\nis told to lose something: %v\n%s", seed, text, dropped, strings.Join(shown(got.Notices), "\n"))
		}
		if text != string(value) && len(got.Notices) == 0 {
			t.Errorf("seed %d: nothing is told of %s", seed, text)
		}
	}
	askNode(t, values, texts)
}

// askNode asks JavaScript's own reader of JSON: the values are sound, and with what stands around them they are not.
func askNode(t *testing.T, values, texts []string) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Log("node is not at hand, and was not asked")
		return
	}
	question, err := json.Marshal([2][]string{values, texts})
	if err != nil {
		t.Fatal(err)
	}
	ask := exec.Command(node, "-e", `const sound = s => { try { JSON.parse(s); return true } catch { return false } };
console.log(JSON.stringify(JSON.parse(require("fs").readFileSync(0, "utf8")).map(all => all.map(sound))))`)
	ask.Stdin, ask.Stderr = strings.NewReader(string(question)), os.Stderr
	answer, err := ask.Output()
	var is [2][]bool
	if err == nil {
		err = json.Unmarshal(answer, &is)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i := range values {
		if !is[0][i] || is[1][i] {
			t.Errorf("node says %v of %q, and %v of %q", is[0][i], values[i], is[1][i], texts[i])
		}
	}
}

// Of an IRI that stays relative it is said that there is no base only where there is none.
func TestARelativeIRIIsToldWhyItStaysSo(t *testing.T) {
	for _, row := range []struct{ text, told string }{
		{`{"@context":{"@base":null},"@id":"rel","http://e/p":"x"}`,
			"the subject is a relative IRI, and the context says that there is no base: its @base is null"},
		{`{"@context":{"@base":null},"@id":"http://e/s","http://e/p":{"@id":"rel"}}`,
			"the object is a relative IRI, and the context says that there is no base: its @base is null"},
		// no reference at all, which package clean tells
		{`{"@context":{"@base":null},"@id":"http://e/s","http://e/p":{"@id":"1:2"}}`, ""},
		{`{"@context":{"@base":null},"@id":"http://e/s","@type":"T"}`,
			"the object is a relative IRI, and the context says that there is no base: its @base is null"},
		{`{"@context":{"@base":null},"@id":"g","@graph":[{"@id":"http://e/s","http://e/p":"x"}]}`,
			"the graph is a relative IRI, and the context says that there is no base: its @base is null"},
		{`{"@id":"http://e/s","1:2":"x"}`,
			"the predicate isn't an absolute IRI; the name of a property is completed by its vocabulary, and not by the base"},
		{`{"@context":{"@base":"http://c/"},"@id":"http://e/s","1:2":"x"}`,
			"the predicate isn't an absolute IRI; the name of a property is completed by its vocabulary, and not by the base"},
		{`{"@id":"_:","http://e/p":{"@id":"_:"}}`, "the subject is _: alone, a blank node without a label"},
		{`{"@id":"rel","http://e/p":"x"}`, ""},
	} {
		got := read(t, row.text, jsonld.Options{})
		told, lost := "", 0
		for _, n := range got.Notices {
			told, lost = told+n.Message, lost+n.Lost
		}
		if told != row.told || (lost == 1) != (told != "") || len(got.Quads) != 1-lost {
			t.Errorf("%s\n%q, %d lost, not %q", row.text, told, lost, row.told)
		}
	}
}

// The sign behind the object of the case from outside is its 61st character, and costs nothing. The
// space before the number of the other is passed over.
func TestCasesFromOutsideOfWhatIsNoJSON(t *testing.T) {
	for name, told := range map[string]string{"58-semicolon": "repair syntax/json-stray 1:61 0",
		"72-space-before-value": "repair syntax/unseen-mark 1:56 0"} {
		text, err := os.ReadFile(rdftest.Shared(t, "cases", "rdf", name+".jsonld"))
		if err != nil {
			t.Fatal(err)
		}
		got := read(t, string(text), jsonld.Options{})
		if !slices.Equal(shown(got.Notices), []string{told}) || len(got.Lines()) != strings.Count(string(text), "example.org/")-1 {
			t.Errorf("%s: %s\n%s", name, got.Lines(), strings.Join(shown(got.Notices), "\n"))
		}
	}
}
