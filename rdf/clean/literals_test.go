package clean_test

import (
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
)

// forms lists lexical forms by datatype: dirty → canonical; "!" means ill-typed,
// "~" out of range.
var forms = map[string]string{
	"boolean":            `true→true false→false 1→true 0→false TRUE→! True→! yes→! ""→! "␣true"→!`,
	"integer":            `0→0 1→1 +1→1 -1→-1 001→1 -0→0 +0→0 -000→0 123456789012345678901234567890→123456789012345678901234567890 1.0→! 1e3→! ""→! +→! -→! --1→! ␣1→! 1␣→! ١→! 0x1→!`,
	"nonPositiveInteger": `0→0 -0→0 +0→0 -1→-1 1→! -99999999999999999999→-99999999999999999999`,
	"negativeInteger":    `-1→-1 -01→-1 0→! -0→! 1→!`,
	"nonNegativeInteger": `0→0 -0→0 1→1 -1→!`,
	"positiveInteger":    `1→1 +1→1 0→! -1→!`,
	"long":               `9223372036854775807→9223372036854775807 9223372036854775808→! -9223372036854775808→-9223372036854775808 -9223372036854775809→! 0→0`,
	"int":                `2147483647→2147483647 2147483648→! -2147483648→-2147483648 -2147483649→! 0002147483647→2147483647`,
	"short":              `32767→32767 32768→! -32768→-32768 -32769→!`,
	"byte":               `127→127 128→! -128→-128 -129→! 99→99 -0→0`,
	"unsignedLong":       `18446744073709551615→18446744073709551615 18446744073709551616→! -1→! -0→0 +5→5`,
	"unsignedInt":        `4294967295→4294967295 4294967296→!`,
	"unsignedShort":      `65535→65535 65536→!`,
	"unsignedByte":       `255→255 256→! 0→0 -1→!`,
	"decimal":            `1→1 1.0→1 1.50→1.5 +1.5→1.5 .5→0.5 -.5→-0.5 5.→5 00.10→0.1 -0→0 -0.0→0 0→0 100→100 123456789.123456789123456789→123456789.123456789123456789 1e3→! .→! ""→! +→! 1,5→! INF→! 1..2→!`,
	"double": `1→1.0E0 1.0→1.0E0 1.0E0→1.0E0 10→1.0E1 0.1→1.0E-1 -1.5e3→-1.5E3 +1e+2→1.0E2 .5→5.0E-1 5.→5.0E0 0→0.0E0 -0→-0.0E0 0e400→0.0E0 ` +
		`INF→INF +INF→INF -INF→-INF NaN→NaN 1e400→~ -1e400→~ 1e-400→~ 1E308→1.0E308 5E-324→5.0E-324 123456→1.23456E5 3.14159265358979323846→3.141592653589793E0 ` +
		`1e0100→1.0E100 inf→! nan→! Infinity→! -NaN→! 1e→! e1→! 0x1p3→! 1_000→! ""→! ␣1→! 1e+→! 1.5.2→! 1d→!`,
	"float": `1→1.0E0 0.1→1.0E-1 16777217→1.6777216E7 3.4028235E38→3.4028235E38 1e39→~ 1e-46→~ 1e-45→1.0E-45 -0.0→-0.0E0 INF→INF`,
	"dateTime": `2024-02-29T12:00:00Z→2024-02-29T12:00:00Z 2024-02-29T12:00:00→2024-02-29T12:00:00 2023-02-29T12:00:00→! 2024-02-29T12:00:00.500→2024-02-29T12:00:00.5 ` +
		`2024-02-29T12:00:00.000→2024-02-29T12:00:00 2024-02-29T12:00:00+00:00→2024-02-29T12:00:00Z 2024-02-29T12:00:00-00:00→2024-02-29T12:00:00Z ` +
		`2024-02-29T12:00:00+05:30→2024-02-29T12:00:00+05:30 2024-02-29T12:00:00-14:00→2024-02-29T12:00:00-14:00 2024-02-29T12:00:00+14:01→! 2024-02-29T12:00:00+15:00→! ` +
		`2024-02-28T24:00:00→2024-02-29T00:00:00 2023-02-28T24:00:00Z→2023-03-01T00:00:00Z 1999-12-31T24:00:00.0→2000-01-01T00:00:00 9999-12-31T24:00:00→10000-01-01T00:00:00 ` +
		`-0001-12-31T24:00:00→0000-01-01T00:00:00 -1000-12-31T24:00:00→-0999-01-01T00:00:00 -10000-12-31T24:00:00→-9999-01-01T00:00:00 0000-02-29T00:00:00→0000-02-29T00:00:00 ` +
		`-0000-01-01T00:00:00→0000-01-01T00:00:00 123456-01-01T00:00:00→123456-01-01T00:00:00 012345-01-01T00:00:00→! 999-01-01T00:00:00→! +2000-01-01T00:00:00→! ` +
		`2024-01-01T24:00:01→! 2024-01-01T25:00:00→! 2024-01-01T23:59:60→! 2024-01-01T23:60:00→! 2024-13-01T00:00:00→! 2024-00-01T00:00:00→! 2024-01-00T00:00:00→! ` +
		`2024-04-31T00:00:00→! 2024-01-01→! 2024-01-01T00:00→! 2024-01-01␣00:00:00→! 2024-01-01T00:00:00z→! 2024-01-01T00:00:00.→! 2024-01-01T00:00:00+0100→! 2024-01-01T00:00:00Zx→! ""→! 2024-1-1T00:00:00→!`,
	"dateTimeStamp": `2024-01-01T00:00:00Z→2024-01-01T00:00:00Z 2024-01-01T00:00:00-00:00→2024-01-01T00:00:00Z 2024-01-01T00:00:00+01:00→2024-01-01T00:00:00+01:00 2024-01-01T00:00:00→! 2024-01-01T00:00:00.123456→! ""→!`,
	"time":          `12:00:00→12:00:00 24:00:00→00:00:00 24:00:00.00Z→00:00:00Z 12:00:00.10+00:00→12:00:00.1Z 23:00:00-05:00→23:00:00-05:00 24:00:01→! 12:00→! 1:00:00→! 12:00:60→!`,
	"date":          `2024-02-29→2024-02-29 2024-02-29+00:00→2024-02-29Z 2024-02-29-05:00→2024-02-29-05:00 2100-02-29→! 2000-02-29→2000-02-29 -0004-02-29→-0004-02-29 20240229→! 2024-02-30→! 2024-2-9→! 2024-02-29T00:00:00→! 12024-02-29→12024-02-29`,
	"gYear":         `2024→2024 2024Z→2024Z 2024+00:00→2024Z -0001→-0001 0000→0000 -0000→0000 12345→12345 02024→! 24→! 2024-01→! ""→! ␣2024→! 2024-02:00→2024-02:00`,
	"gYearMonth":    `2024-01→2024-01 2024-01-00:00→2024-01Z 2024-13→! 2024→!`,
	"gMonth":        `--01→--01 --12+00:00→--12Z --13→! 01→! --01--→!`,
	"gMonthDay":     `--02-29→--02-29 --02-30→! --04-31→! --12-31-00:00→--12-31Z`,
	"gDay":          `---01→---01 ---31+00:00→---31Z ---32→! 01→!`,
	"hexBinary":     `""→"" 0aFf→0AFF 0→! 0g→!`,
	"base64Binary":  `""→"" AAAA→AAAA AA==→AA== AB==→! AAA=→AAA= AAB=→! A␣A␣=␣=→AA== AAA→! A===→! ␣AAAA→! AAAA␣→! A␣␣AAA→! AA==AA==→!`,
	"duration": `P1Y→P1Y P12M→P1Y P14M→P1Y2M PT60S→PT1M PT3600S→PT1H PT24H→P1D P0Y→PT0S PT0S→PT0S -PT0.0S→PT0S P1Y2M3DT4H5M6.70S→P1Y2M3DT4H5M6.7S ` +
		`-P1D→-P1D PT0.5S→PT0.5S P30D→P30D PT90M→PT1H30M PT01S→PT1S P400D→P400D PT36H0.50S→P1DT12H0.5S P123456789012345Y→P123456789012345Y ` +
		`P99999999999999D→P99999999999999D P→! PT→! P1→! 1Y→! P1S→! PT1Y→! P1M1Y→! P1YT→! +P1Y→! P-1Y→! P1.5Y→! PT1.S→PT1S PT.5S→PT0.5S PT.S→! PT1.5M→! ""→! p1y→! P1Y␣→! P1YT1HT1M→! --P1Y→!`,
	"yearMonthDuration": `P12M→P1Y P0M→P0M P0Y→P0M -P0Y→P0M P1D→! PT1S→! P1YT0S→!`,
	"dayTimeDuration":   `PT86400S→P1D P0D→PT0S P1Y→! P1M→! PT1M→PT1M`,
	"normalizedString":  `a␣␣b→a␣␣b ""→""`,
	"token":             `a␣b→a␣b a␣␣b→! ␣a→! a␣→! ""→""`,
	"language":          `en→en en-US→en-US de-1996→de-1996 1e→! en_US→! en-→! toolonglanguage→! ""→!`,
	"Name":              `a:b→a:b _a→_a é1→é1 1a→! -a→! ""→! a␣b→!`,
	"NCName":            `a.b-1→a.b-1 a:b→! ·a→! a·→a·`,
	"NMTOKEN":           `1a→1a -a→-a a:b→a:b a/b→! ""→!`,
	"string":            `␣x␣→␣x␣`,
	"anyURI":            `a→a http://e/→http://e/ ../a→../a`,
}

func eachForm(f func(datatype, in, want string)) {
	plain := strings.NewReplacer(`""`, "", `"`, "", "␣", " ").Replace
	for datatype, cases := range forms {
		for _, c := range strings.Fields(cases) {
			in, want, _ := strings.Cut(c, "→")
			f(datatype, plain(in), plain(want))
		}
	}
}

func TestLiteralsAreWrittenInCanonicalForm(t *testing.T) {
	eachForm(func(datatype, in, want string) {
		value, found := want, ""
		switch {
		case want == "!":
			value, found = in, "warning literal/ill-typed"
		case want == "~":
			value, found = in, "warning literal/out-of-range"
		case want != in:
			found = "note literal/non-canonical"
		case datatype == "string" && strings.TrimSpace(in) != in:
			found = "warning literal/white-space" // as of one that does not name its datatype
		}
		q := of(text(in, rdf.XSD+datatype))
		w := wash(t, clean.Options{}, q)
		if len(w.lines) != 1 || w.lines[0] != line(of(text(value, rdf.XSD+datatype))) || w.found() != found || w.tally.Kept != 1 {
			t.Errorf("%s %q: got %q, %s; want %q, %s", datatype, in, w.lines, w.found(), value, found)
		}
		if strict := wash(t, clean.Options{Strict: true}, q); strict.tally.Kept != 1 || strict.tally.Read != 1 ||
			strict.lines[0] != w.lines[0] {
			t.Errorf("%s %q: strict is not for notes and warnings: %q", datatype, in, strict.lines)
		}
		kept := wash(t, clean.Options{KeepLiterals: true}, q)
		if kept.lines[0] != line(q) || strings.Contains(kept.found(), "note") {
			t.Errorf("%s %q: not kept: %q, %s", datatype, in, kept.lines, kept.found())
		}
	})
}

func line(q rdf.Quad) string { return string(rdf.AppendQuad(nil, &q)) }

func TestLangStringNeedsALanguage(t *testing.T) {
	w := wash(t, clean.Options{}, of(text("x", rdf.LangString)))
	if w.found() != "warning literal/no-language" || object(w.lines[0]) != `"x"^^<`+rdf.LangString+`>` {
		t.Errorf("got %q, %s", w.lines, w.found())
	}
}

func TestNamesOfDatatypesAreJudged(t *testing.T) {
	const w3, geo = "http://www.w3.org/2001/XMLSchema", "http://www.opengis.net/ont/geosparql#"
	for _, c := range []struct{ value, datatype, want, found string }{ // want is the datatype after it
		{"7", rdf.XSD + "Integer", rdf.XSD + "integer", "repair literal/misspelt-datatype"},
		{"2024-01-01T00:00:00Z", rdf.XSD + "datetime", rdf.XSD + "dateTime", "repair literal/misspelt-datatype"},
		{"x", rdf.XSD + "String", "", "repair literal/misspelt-datatype"},
		{" x", rdf.XSD + "String", "", "repair literal/misspelt-datatype, warning literal/white-space"},
		{"x\uFFFD", rdf.XSD + "String", "", "repair literal/misspelt-datatype, warning literal/replacement-character"},
		{"1", "https://www.w3.org/2001/XMLSchema#int", rdf.XSD + "int", "repair literal/misspelt-datatype"},
		{"1", "http://w3.org/2001/XMLSchema#int", rdf.XSD + "int", "repair literal/misspelt-datatype"},
		{"1", w3 + "/int", rdf.XSD + "int", "repair literal/misspelt-datatype"},
		{"1", w3 + "int", rdf.XSD + "int", "repair literal/misspelt-datatype"},
		{"1", w3 + "-datatypes#int", rdf.XSD + "int", "repair literal/misspelt-datatype"},
		{"1", w3 + "-datatypes#number", w3 + "-datatypes#number", "warning literal/unknown-datatype"},
		{"1", w3 + "#xsd:int", rdf.XSD + "int", "repair literal/misspelt-datatype"},
		{"1", "http://www.w3.org/2001/XMLschema#int", rdf.XSD + "int", "repair literal/misspelt-datatype"},
		{"1", "xsd:int", rdf.XSD + "int", "repair literal/misspelt-datatype"},
		{"[]", rdf.RDF + "json", rdf.RDF + "JSON", "repair literal/misspelt-datatype"},
		{"POINT(1 2)", geo + "WKTLiteral", geo + "wktLiteral", "repair literal/misspelt-datatype"},
		{"01", rdf.XSD + "Integer", rdf.XSD + "integer", "repair literal/misspelt-datatype, note literal/non-canonical"},
		{"2014-01-01", rdf.XSD + "datetime", rdf.XSD + "datetime", "warning literal/unknown-datatype"},
		{"01", rdf.XSD + "noSuchType", rdf.XSD + "noSuchType", "warning literal/unknown-datatype"},
		{"1", rdf.XSD + "bool", rdf.XSD + "bool", "warning literal/unknown-datatype"},
		{"1", "http://www.w3.org/2000/10/XMLSchema#integer", "http://www.w3.org/2000/10/XMLSchema#integer",
			"warning literal/unknown-datatype"},
		{"x", rdf.RDF + "Literal", rdf.RDF + "Literal", "warning literal/unknown-datatype"},
		{"x", rdf.XSD + "QName", rdf.XSD + "QName", "warning literal/unsuitable-datatype"},
		{"x", "http://www.w3.org/2000/01/rdf-schema#Literal", "http://www.w3.org/2000/01/rdf-schema#Literal",
			"warning literal/unsuitable-datatype"},
		{"x", "http://example.org/Integer", "http://example.org/Integer", ""},
		{"<b>", rdf.RDF + "HTML", rdf.RDF + "HTML", ""},
		{"<b>", rdf.RDF + "XMLLiteral", rdf.RDF + "XMLLiteral", "warning literal/ill-typed"},
	} {
		w := wash(t, clean.Options{}, of(text(c.value, c.datatype)))
		if len(w.lines) != 1 || w.found() != c.found ||
			c.want != "" && !strings.HasSuffix(w.lines[0], "^^<"+c.want+"> .") || c.want == "" && !strings.HasSuffix(w.lines[0], `" .`) {
			t.Errorf("%q %s: got %q, %s", c.value, c.datatype, w.lines, w.found())
		}
	}
}

func TestLinksAreIRIs(t *testing.T) {
	for value, want := range map[string]string{
		"http://example.org/": "", "../a?b#c": "", "": "", "urn:x:y": "", "http://é.example/ü": "", "http://e/%20": "", "//e/a": "",
		"http://e/a b": "warning literal/link", " http://e/": "warning literal/link", "http://e/{id}": "warning literal/link",
		"http://e/#a#b": "warning literal/link", "http://e/100%": "warning literal/link", "http://a b/": "warning literal/link",
		"http://http://e/": "warning literal/link",
		"a b":              "warning literal/link", " a": "warning literal/link", "{id}": "warning literal/link",
	} {
		if w := wash(t, clean.Options{}, of(text(value, rdf.XSD+"anyURI"))); w.found() != want {
			t.Errorf("%q: got %s, want %s", value, w.found(), want)
		}
	}
}

func TestIllTypedLiteralsAreToldWhy(t *testing.T) {
	for _, c := range []struct{ value, datatype, why string }{
		{" 1", "integer", "not in the lexical space of xsd:integer: there is white space around the value"},
		{"300", "byte", "not in the lexical space of xsd:byte: the number is out of its range"},
		{"2023-02-29", "date", "not in the lexical space of xsd:date: there is no such day"},
		{"2023-02-28 12:00:00", "dateTime", "not in the lexical space of xsd:dateTime: between date and time is a T"},
		{"2023-02-28", "dateTime", "not in the lexical space of xsd:dateTime: it would be right as xsd:date"},
		{"1,5", "decimal", "not in the lexical space of xsd:decimal: the decimal mark is a point"},
		{"1.0", "integer", "not in the lexical space of xsd:integer: it would be right as xsd:decimal"},
		{"", "integer", "not in the lexical space of xsd:integer: there is no text"},
		{"abc", "integer", "not in the lexical space of xsd:integer"},
	} {
		if w := wash(t, clean.Options{}, of(text(c.value, rdf.XSD+c.datatype))); len(w.notices) != 1 || w.notices[0].Message != c.why {
			t.Errorf("%q: got %+v", c.value, w.notices)
		}
	}
}

func FuzzCanonicalFormIsStable(f *testing.F) {
	eachForm(func(datatype, in, _ string) { f.Add(datatype, in) })
	f.Fuzz(func(t *testing.T, datatype, lexical string) {
		if _, known := forms[datatype]; !known {
			return
		}
		w := wash(t, clean.Options{}, of(text(lexical, rdf.XSD+datatype)))
		if len(w.lines) == 0 {
			return // stray bytes
		}
		if w.tally.Repaired > 0 {
			return
		}
		ill := strings.Contains(w.found(), "warning")
		changed := lexical
		if strings.Contains(w.found(), "note") {
			got := object(w.lines[0])
			changed = got[1:strings.LastIndex(got, `"`)]
		}
		again := wash(t, clean.Options{}, of(text(changed, rdf.XSD+datatype)))
		if again.lines[0] != w.lines[0] || ill != (again.found() != "") {
			t.Fatalf("%s %q: %q, then %q, %s", datatype, lexical, w.lines, again.lines, again.found())
		}
		for _, n := range again.notices {
			if n.Severity == fault.Note {
				t.Fatalf("%s %q: second wash: %s", datatype, lexical, again.found())
			}
		}
	})
}

// Whoever put U+FFFD there, a lost character is reported.
func TestLostCharactersAreToldOf(t *testing.T) {
	for _, c := range []struct {
		object rdf.Term
		found  string
	}{
		{text("caf\uFFFD", ""), "warning literal/replacement-character"},
		{tagged("\uFFFD\uFFFD", "fr"), "warning literal/replacement-character"},
		{text("\uFFFD", "http://e/type"), "warning literal/replacement-character"},
		{text("\uFF41 \uFFFC", ""), ""},
		{iri("http://e/\uFFFD"), "drop iri/forbidden"},
	} {
		w := wash(t, clean.Options{}, of(c.object))
		if w.found() != c.found || c.object.Kind == rdf.Literal && w.tally.Kept != 1 {
			t.Errorf("%q: %s, %+v", c.object.Value, w.found(), w.tally)
		}
	}
}
