package job_test

import (
	"context"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/records/job"
)

// changed are documents that hold something, but nothing that a spec asks for, and what is said of them.
var changed = []struct{ name, file, in, spec, says string }{
	{"a list over a page", "a.html", `<div class="post"><b class="title">A</b></div>`, `select: [.old-post, {t: .title}]`,
		`".old-post" (nearest: `},
	{"a mapping over a page", "a.html", `<div><b class="headline">A</b></div>`, `select: {title: .head, score: {to_i: .old-score}}`,
		`".old-score"`},
	{"an empty page", "a.html", "<html><body></body></html>", `select: [li, {t: a}]`, `"li" (nothing near`},
	{"a page without a byte", "a.html", " \n", `select: [li, {t: a}]`, `"li" (nothing near`},
	{"XPath", "a.html", "<p>x", `select: ["xpath://li", {t: ""}]`, `"xpath://li"`},
	{"elements of XML", "a.xml", "<r><entry><t>1</t></entry></r>", `select: [item, {t: title}]`, `"item" matches nothing`},
	{"elements that the spec names", "a.xml", "<r><entry><t>1</t></entry></r>", "source: {records: entri}", `nearest: "entry"`},
	{"a list of JSON", "a.json", `{"items":[{"a":1}]}`, `select: ["$.results[*]", {t: $.a}]`, `"$.results[*]"`},
	{"members of JSON", "a.json", `{"titel":"x"}`, `select: {t: $.title}`, `"$.title" (nearest: "titel")`},
	{"a list that the spec names", "a.json", `{"items":[{"a":1}]}`, `source: {records: item}`, `nearest: "items"`},
	{"YAML", "a.yaml", "titel: x\n", `select: {t: $.title}`, `nearest: "titel"`},
	{"JSON lines", "a.jsonl", "{\"a\":1}\n{\"a\":2}\n", `select: {t: b}`, `"b"`},
	{"rows", "a.csv", "Nam,Age\nx,1\n", `select: {n: Name}`, `nearest: "Nam"`},
	{"tables of a page that are gone", "a.csv", "a,b\n1,2\n", `select: ["$.rows[*]", {n: $.x}]`, `"$.rows[*]"`},
}

func TestADocumentInWhichNothingIsFoundIsALostRecord(t *testing.T) {
	for _, c := range changed {
		for _, allowed := range []bool{false, true} {
			j, err := compile(c.spec, job.Options{AllowEmpty: allowed})
			if err != nil {
				t.Fatal(err)
			}
			var told []fault.Notice
			run, err := j.Start(&tally{})
			if err != nil {
				t.Fatal(err)
			}
			counts, err := run.Document(context.Background(), document(c.file, c.in), func(n fault.Notice) {
				if n.Code == fault.RecordNothingFound {
					told = append(told, n)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			if len(told) == 0 {
				t.Errorf("%s: nothing is said", c.name)
				continue
			}
			last := told[len(told)-1]
			if lost := last.Severity == fault.Drop && counts.Dropped == 1; lost == allowed || counts.Written != 0 ||
				!strings.Contains(last.Message, c.says) {
				t.Errorf("%s, allowed %v: %s %q, %+v; want %q", c.name, allowed, last.Severity, last.Message, counts, c.says)
			}
		}
	}
}

// What holds nothing by itself is no document that changed.
func TestAnEmptyTableIsNoChangedPage(t *testing.T) {
	for _, c := range [][3]string{
		{"a.csv", "a,b\n", `select: {t: a}`}, {"a.json", "[]", `select: {t: $.a}`}, {"a.jsonl", "", `select: {t: a}`},
		{"a.json", `{"items":[]}`, `source: {records: items}`}, {"a.csv", "", ""},
	} {
		j, err := compile(c[2], job.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got tally
		counts, err := j.Document(context.Background(), document(c[0], c[1]), &got)
		if err != nil || counts.Read != 0 {
			t.Errorf("%s: %v, %+v, %q", c[1], err, counts, got.notices)
		}
	}
}

// Elements that the spec names can be selected from by CSS and XPath, and by the members that they have as records.
func TestElementsOfXMLThatTheSpecNames(t *testing.T) {
	const in = `<lib><book id="1"><title>A</title><author>X</author></book><note><title>N</title></note>` +
		`<book id="2"><title>B</title><author>X</author><author>Y</author></book></lib>`
	for _, c := range []struct{ spec, want string }{
		{"{title: title}", `{"title":"A"} {"title":"B"}`},
		{"{a: [author]}", `{"a":["X"]} {"a":["X","Y"]}`},
		{"{a: [author, {n: $}]}", `{"a":[{"n":"X"}]} {"a":[{"n":"X"},{"n":"Y"}]}`},
		{"{i: {attr: ['', id]}, t: 'title:first-child'}", `{"i":"1","t":"A"} {"i":"2","t":"B"}`},
		{"{t: 'xpath:title'}", `{"t":"A"} {"t":"B"}`},
		{"{i: \"xpath:@id\", a: ['> author']}", `{"i":"1","a":["X"]} {"i":"2","a":["X","Y"]}`},
		{"['> author', {a: {text: ''}}]", `{"a":"X"} {"a":"X"} {"a":"Y"}`},
		{"[author, {a: $}]", `{"a":"X"} {"a":"X"} {"a":"Y"}`},
		{"{i: \"$['@id']\", t: $.title}", `{"i":"1","t":"A"} {"i":"2","t":"B"}`},
		{"{a: '$.author[1]'}", `{"a":"Y"}`},
	} {
		for _, format := range []string{"", "format: xml, "} {
			j, err := compile("source: {"+format+"records: book}\nselect: "+c.spec, job.Options{})
			if err != nil {
				t.Errorf("%s: %v", c.spec, err)
				continue
			}
			var got tally
			if _, err := j.Document(context.Background(), document("a.xml", in), &got); err != nil ||
				strings.Join(got.lines, " ") != c.want {
				t.Errorf("%s: %v, %s, want %s", c.spec, err, strings.Join(got.lines, " "), c.want)
			}
		}
	}
}
