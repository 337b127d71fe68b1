package microformats_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/rdf"
	"laundromat/rdf/microformats"
	"laundromat/rdf/rdftest"
)

var update = flag.Bool("update", false, "write the table of docs/formats.md")

var short = strings.NewReplacer("<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>", "a", "http://www.w3.org/2006/vcard/ns#", "v:",
	"http://www.w3.org/2002/12/cal/icaltzd#", "i:", "http://www.w3.org/2001/XMLSchema#", "xsd:", "http://example.org/", "e:")

func TestItemsBecomeStatements(t *testing.T) {
	card := "_:1 a <v:VCard>\n"
	event := "_:1 a <i:Vevent>\n"
	tests := []struct{ name, page, statements string }{
		{"a name", `<p class="vcard"><b class="fn">A</b></p>`, card + `_:1 <v:fn> "A"`},
		{"a name of microformats2", `<p class="h-card"><b class="p-name">A</b></p>`, card + `_:1 <v:fn> "A"`},
		{"an implied name", `<p class="h-card">A</p>`, card + `_:1 <v:fn> "A"`},
		{"an implied link", `<a class="h-card" href="u">A</a>`, card + "_:1 <v:fn> \"A\"\n_:1 <v:url> <e:u>"},
		{"a language", `<p class="vcard" lang="fr"><b class="fn" lang="de">A</b><i class="note">n</i></p>`,
			card + "_:1 <v:fn> \"A\"@de\n_:1 <v:note> \"n\"@fr"},
		{"parts of a name", `<p class="vcard"><b class="n"><i class="given-name">A</i> <i class="family-name">B</i></b></p>`,
			card + "_:1 <v:n> _:2\n_:2 a <v:Name>\n_:2 <v:given-name> \"A\"\n_:2 <v:family-name> \"B\""},
		{"an organization", `<p class="vcard"><b class="org">O</b></p>`,
			card + "_:1 <v:org> _:2\n_:2 a <v:Organization>\n_:2 <v:organization-name> \"O\""},
		{"an organization that is a card", `<p class="h-card"><b class="p-org h-card">O</b></p>`,
			card + "_:2 a <v:VCard>\n_:2 <v:fn> \"O\"\n_:1 <v:org> _:2\n_:2 a <v:Organization>\n_:2 <v:organization-name> \"O\""},
		{"an address of mail as a link", `<p class="vcard"><a class="email" href="mailto:a@b.c">x</a></p>`,
			card + `_:1 <v:email> <mailto:a@b.c>`},
		{"an address of mail as a text", `<p class="vcard"><b class="email">a@b.c</b></p>`, card + `_:1 <v:email> <mailto:a@b.c>`},
		{"mail that isn't an address", `<p class="vcard"><b class="email">a at b</b></p>`, card + `_:1 <v:email> "a at b"`},
		{"a link as a text", `<p class="vcard"><b class="url">http://a/</b></p>`, card + `_:1 <v:url> <http://a/>`},
		{"a link that is words", `<p class="vcard"><b class="url">see there</b></p>`, card + `_:1 <v:url> "see there"`},
		{"an image without a name in a photo", `<p class="vcard"><b class="fn">A</b><i class="photo"><img alt="" src="/a.png"></i></p>`,
			card + `_:1 <v:fn> "A"`},
		{"an image without a source", `<p class="vcard"><b class="fn">A</b><img class="photo" alt="" src=""></p>`, card + `_:1 <v:fn> "A"`},
		{"an address", `<p class="vcard"><b class="adr"><i class="locality">L</i></b></p>`,
			card + "_:2 a <v:Address>\n_:2 <v:locality> \"L\"\n_:1 <v:adr> _:2"},
		{"an address in the card itself", `<p class="h-card"><i class="p-locality">L</i></p>`,
			card + "_:1 <v:adr> _:2\n_:2 a <v:Address>\n_:2 <v:locality> \"L\""},
		{"an address as a text", `<p class="h-card"><i class="p-adr">L 1</i></p>`, card + `_:1 <v:label> "L 1"`},
		{"a place as two numbers", `<p class="vcard"><i class="geo">1.5; -2</i></p>`,
			card + "_:1 <v:geo> _:2\n_:2 a <v:Location>\n_:2 <v:latitude> \"1.5\"\n_:2 <v:longitude> \"-2\""},
		{"a day", `<p class="vcard"><time class="bday" datetime="1970-01-02">x</time></p>`,
			card + `_:1 <v:bday> "1970-01-02"^^<xsd:date>`},
		{"a day in words", `<p class="vcard"><b class="bday">in May</b></p>`, card + `_:1 <v:bday> "in May"`},
		{"an event", `<p class="vevent"><b class="summary">S</b> <b class="dtstart">2012-06-27 15:45-0800</b></p>`,
			event + "_:1 <i:summary> \"S\"\n_:1 <i:dtstart> \"2012-06-27T15:45:00-08:00\"^^<xsd:dateTime>"},
		{"a duration", `<p class="h-event"><b class="p-name">S</b><time class="dt-duration" datetime="PT2H">x</time></p>`,
			event + "_:1 <i:summary> \"S\"\n_:1 <i:duration> \"PT2H\"^^<xsd:duration>"},
		{"an event at a card", `<p class="h-event"><b class="p-name">S</b> <b class="p-location h-card">L</b></p>`,
			event + "_:1 <i:summary> \"S\"\n_:2 a <v:VCard>\n_:2 <v:fn> \"L\"\n_:1 <i:location> _:2"},
		{"a card in an entry of a blog",
			`<p class="hentry"><b class="entry-title">T</b> <b class="author vcard"><i class="fn">A</i></b></p>`,
			card + `_:1 <v:fn> "A"`},
		{"a card of an event", `<p class="vevent vcard"><b class="fn summary">S</b></p>`,
			"_:1 a <v:VCard>\n_:1 a <i:Vevent>\n_:1 <v:fn> \"S\"\n_:1 <i:summary> \"S\""},
		{"two cards", `<p class="vcard"><b class="fn">A</b></p><p class="vcard"><b class="fn">B</b></p>`,
			card + "_:1 <v:fn> \"A\"\n_:2 a <v:VCard>\n_:2 <v:fn> \"B\""},
		{"an included part", `<p class="vcard"><b class="fn">A</b><a class="include" href="#o">o</a></p><p id="o" class="org">O</p>`,
			card + "_:1 <v:fn> \"A\"\n_:1 <v:org> _:2\n_:2 a <v:Organization>\n_:2 <v:organization-name> \"O\""},
		{"an inclusion of itself", `<p class="vcard" id="c"><b class="fn">A</b><a class="include" href="#c">o</a></p>`,
			card + `_:1 <v:fn> "A"`},
		{"nothing", `<p class="vcard"></p>`, ""},
		{"no microformat", `<p class="card"><b class="fn">A</b></p>`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got rdftest.Collector
			process(t, tt.page, &got)
			var lines []string
			for _, q := range got.Quads {
				lines = append(lines, short.Replace(term(q.Subject)+" "+term(q.Predicate)+" "+term(q.Object)))
			}
			if s := strings.Join(lines, "\n"); s != tt.statements {
				t.Errorf("got\n%s\nexpected\n%s", s, tt.statements)
			}
		})
	}
}

func TestWhatIsNotMappedIsReported(t *testing.T) {
	for page, count := range map[string]int{
		`<p class="hreview"><b class="summary">S</b></p>`:                         1,
		`<p class="h-entry"><b class="p-name">S</b></p><p class="h-feed">x</p>`:   2,
		`<p class="h-card"><b class="p-name">A</b><b class="p-pronoun">x</b></p>`: 1,
		`<p class="vcard"></p>`: 1,
		`<p class="vcard"><b class="fn">A</b><b class="note"> </b></p>`:               1,
		`<p class="hentry"><b class="author vcard"><i class="fn">A</i></b></p>`:       1,
		`<p class="h-event h-x"><b class="p-name">A</b></p>`:                          1,
		`<p class="vcard"><b class="fn">A</b></p>`:                                    0,
		`<p class="vcard"><b class="fn">A</b><b class="unknown of old">x</b></p>`:     0,
		`<p class="h-entry"><b class="p-name">S</b><i class="h-adr">x</i></p>`:        1,
		`<p class="h-card"><b class="p-name">A</b><b class="p-adr h-adr">x 1</b></p>`: 0,
	} {
		var got rdftest.Collector
		process(t, page, &got)
		notes := 0
		for _, n := range got.Notices {
			if n.Code == fault.MicroformatUnmapped && n.Severity == fault.Note {
				notes++
			}
		}
		if notes != count || len(got.Notices) != notes {
			t.Errorf("%s: %d notes of %d, expected %d", page, notes, len(got.Notices), count)
		}
	}
}

func TestLimitsAreReported(t *testing.T) {
	var got rdftest.Collector
	process(t, strings.Repeat(`<i class="h-card p-agent">`, 450)+"x", &got)
	if got.Lost() != 0 || len(got.Quads) < 450 {
		t.Errorf("%d lost of a page of 450 items, %d statements", got.Lost(), len(got.Quads))
	}
	var b strings.Builder
	for i := range 24 {
		fmt.Fprintf(&b, `<p id="p%d" itemref="p%d p%d"><b class="note">n</b></p><p id="q%d"></p>`, i, i+1, i+1, i)
	}
	got = rdftest.Collector{}
	process(t, `<p class="vcard" itemref="p0">x</p>`+b.String(), &got)
	if got.Lost() != 1 || got.Notices[len(got.Notices)-1].Code != fault.LimitExpansion {
		t.Errorf("%d lost, the notices are %v", got.Lost(), got.Notices)
	}
}

func process(t testing.TB, text string, to rdf.Sink) {
	t.Helper()
	p, err := page.Read(t.Context(), strings.NewReader(text), page.Options{Host: page.HTML}, to)
	if err != nil {
		t.Fatal(err)
	}
	if err := microformats.Process(t.Context(), p, rdf.Input{Base: "http://example.org/"}, to); err != nil {
		t.Fatal(err)
	}
}

func term(t rdf.Term) string {
	switch t.Kind {
	case rdf.BlankNode:
		return fmt.Sprintf("_:%d", t.Anonymous)
	case rdf.IRI:
		return "<" + string(t.Value) + ">"
	}
	s := fmt.Sprintf("%q", t.Value)
	if len(t.Language) > 0 {
		s += "@" + string(t.Language)
	}
	if len(t.Datatype) > 0 {
		s += "^^<" + string(t.Datatype) + ">"
	}
	return s
}

func TestTheDocumentationHasTheVocabulary(t *testing.T) {
	const file, head = "../../docs/formats.md", "| type | property | statement |\n|---|---|---|\n"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, table, ok := strings.Cut(string(text), head)
	if !ok {
		t.Fatal("docs/formats.md has no table of microformats")
	}
	rows := microformats.Rows()
	slices.Sort(rows)
	prefixes := strings.NewReplacer("http://www.w3.org/2006/vcard/ns#", "vcard:", "http://www.w3.org/2002/12/cal/icaltzd#", "ical:")
	want := prefixes.Replace(strings.Join(rows, "\n") + "\n")
	if *update {
		if err := os.WriteFile(file, []byte(before+head+want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if table != want {
		t.Error("the table of microformats in docs/formats.md is not up to date: write it with -update")
	}
}

// Whatever a page holds, its items are read to the end, twice the same.
func FuzzProcess(f *testing.F) {
	for _, seed := range []string{
		`<p class="vcard h-event" itemref="a"><b class="fn p-name">A</b><a class="include" href="#a">x</a></p><p id="a" class="org"><i class="value-title" title="x"></i></p>`,
		`<table><th id="o" class="adr"><td class="vcard" headers="o"><time class="bday dt-start"><i class="value">7pm</i></time>`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4<<10 {
			return
		}
		var one, two rdftest.Collector
		process(t, text, &one)
		process(t, text, &two)
		if a, b := fmt.Sprint(one.Lines()), fmt.Sprint(two.Lines()); a != b {
			t.Errorf("read twice:\n%s\n%s", a, b)
		}
	})
}
