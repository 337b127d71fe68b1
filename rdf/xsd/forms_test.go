package xsd_test

import (
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"

	"laundromat/rdf"
	"laundromat/rdf/xsd"
)

// row is a lexical form and what is to be said of it.
type row struct {
	datatype, lexical, canonical string
	verdict                      xsd.Verdict
}

// table reads testdata.
func table(t testing.TB) (rows []row) {
	raw, err := os.ReadFile("testdata/forms.txt")
	if err != nil {
		t.Fatal(err)
	}
	datatype := ""
	for _, line := range strings.Split(string(raw), "\n") {
		kind, rest, _ := strings.Cut(line, " ")
		for _, form := range strings.Fields(rest) {
			in, out, _ := strings.Cut(form, "→")
			switch kind {
			case "type":
				datatype, _, _ = strings.Cut(rest, " ")
			case "yes":
				rows = append(rows, row{datatype, text(in), text(in), xsd.Valid})
			case "as":
				rows = append(rows, row{datatype, text(in), text(out), xsd.Valid})
			case "no":
				rows = append(rows, row{datatype, text(in), "", xsd.IllTyped})
			case "far":
				rows = append(rows, row{datatype, text(in), "", xsd.OutOfRange})
			case "#", "":
			default:
				t.Fatalf("what is %q", line)
			}
		}
	}
	rows = append(rows, bounded(t)...)
	for _, e := range examples(t) {
		rows = append(rows, e.row)
	}
	return rows
}

// text is what the tables write with signs for what can't be seen.
var text = strings.NewReplacer("␠", " ", "␉", "\t", "␊", "\n", "␍", "\r", "∅", "", "␀", "\x00", "␚", "\uFFFE", "␘", "\uFFFF").Replace

// example is a form that a specification shows.
type example struct {
	row
	spec, section string
}

// examples reads what the specifications show. For XSD 1.1 Part 2 a copy of the Recommendation of 5
// April 2012 was read. Of it §1 to §5 and the appendices D, E and I.1 to I.3 were read whole. Left
// out were A to C, which write the types down once more as schemas. So were F to H, J and K: tables,
// regular expressions, a glossary and references. Of XSD 1.0 Part 2, second edition, a copy of §3.2.2
// to §3.2.16 was read whole, and nothing else. Of RDF 1.2 Concepts the section on rdf:JSON was read
// in a draft. Of GeoSPARQL 1.1 the requirements on literals of WKT, GML and GeoJSON and annex C were
// read in its sources. RFC 8785 was read in an extract that quotes its rules and samples one by one,
// from §2 to appendix I. There is no table for rdf:HTML and xsd:string, which take any text.
func examples(t testing.TB) (all []example) {
	raw, err := os.ReadFile("testdata/examples.txt")
	if err != nil {
		t.Fatal(err)
	}
	spec := ""
	for _, line := range strings.Split(string(raw), "\n") {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0, fields[0] == "#", fields[0] == "none":
		case fields[0] == "spec":
			spec = strings.TrimPrefix(line, "spec ")
		case len(fields) < 3:
			t.Fatalf("what is %q", line)
		default:
			for _, form := range fields[2:] {
				in, out, isOther := strings.Cut(form, "→")
				if !isOther {
					out = in
				}
				e := example{row{fields[1], text(in), text(out), xsd.Valid}, spec, fields[0]}
				if bad, refused := strings.CutPrefix(in, "!"); refused {
					e.row = row{fields[1], text(bad), "", xsd.IllTyped}
				}
				all = append(all, e)
			}
		}
	}
	return all
}

// The tables say of each datatype what its specification shows, or that it shows nothing.
func TestWhatTheSpecificationsShow(t *testing.T) {
	shown := map[string]int{}
	for _, e := range examples(t) {
		shown[e.datatype]++
		got, verdict := find(t, e.datatype).AppendCanonical(nil, []byte(e.lexical))
		if verdict != e.verdict || verdict == xsd.Valid && string(got) != e.canonical {
			t.Errorf("%s, %s: %s %q: got %q, %d; want %q, %d", e.spec, e.section, e.datatype, e.lexical, got, verdict, e.canonical,
				e.verdict)
		}
	}
	raw, err := os.ReadFile("testdata/examples.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(raw), "\nnone ")
	none := map[string]bool{}
	for _, name := range strings.Fields(list) {
		none[name] = true
	}
	for _, name := range xsd.Names() {
		if none[name] == (shown[name] > 0) {
			t.Errorf("%s: %d examples, and none are shown: %v", name, shown[name], none[name])
		}
	}
}

// bounded makes the rows of the integers with bounds.
func bounded(t testing.TB) (rows []row) {
	raw, err := os.ReadFile("testdata/bounds.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(raw)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Fields(line)
		datatype := "xsd:" + fields[0]
		add := func(lexical, canonical string) { rows = append(rows, row{datatype, lexical, canonical, xsd.Valid}) }
		no := func(lexical string) { rows = append(rows, row{datatype, lexical, "", xsd.IllTyped}) }
		for _, example := range fields[4:] {
			add(example, strings.TrimPrefix(example, "+"))
		}
		inward := int64(1)
		for _, end := range fields[2:4] {
			bound, bounded := new(big.Int).SetString(end, 10)
			if bounded {
				for i := range int64(18) {
					in := new(big.Int).Add(bound, big.NewInt(inward*i))
					out := new(big.Int).Sub(bound, big.NewInt(inward*(i+1)))
					add(in.String(), in.String())
					no(out.String())
					if i < 6 {
						sign, digits := "+", in.String()
						if in.Sign() < 0 {
							sign, digits = "-", digits[1:]
						}
						add(sign+"0"+digits, in.String())
						add(sign+"0000000000000000000000"+digits, in.String())
						no(sign + "0" + strings.TrimPrefix(out.String(), "-") + "0.")
					}
				}
			} else {
				far := strings.Repeat("9", 40)
				if inward > 0 {
					far = "-" + far
				}
				add(far, far)
			}
			inward = -1
		}
		// Zero takes either sign wherever it is in bounds (§3.4.14.1, §3.4.20.1).
		for _, zero := range []string{"0", "+0", "-0", "-000"} {
			if least, most := fields[2], fields[3]; most != "-1" && least != "1" {
				add(zero, "0")
			} else {
				no(zero)
			}
		}
		for _, bad := range []string{"", "+", "-", "1.0", "1e0", " 1", "1 ", "--1", "0x1", "١"} {
			no(bad)
		}
	}
	return rows
}

func find(t testing.TB, name string) *xsd.Datatype {
	prefix, local, _ := strings.Cut(name, ":")
	d := xsd.Find([]byte(map[string]string{"xsd": rdf.XSD, "rdf": rdf.RDF, "geo": "http://www.opengis.net/ont/geosparql#"}[prefix] + local))
	if d == nil || d.Name() != name {
		t.Fatalf("%s is not found", name)
	}
	return d
}

func TestLexicalAndCanonicalForms(t *testing.T) {
	type count struct{ yes, as, no int }
	counts := map[string]*count{}
	glances := 0
	seen := map[string]bool{}
	for _, r := range table(t) {
		got, verdict := find(t, r.datatype).AppendCanonical([]byte("kept"), []byte(r.lexical))
		if verdict != r.verdict || verdict == xsd.Valid && string(got) != "kept"+r.canonical {
			t.Errorf("%s %q: got %q, %d; want %q, %d", r.datatype, r.lexical, got, verdict, r.canonical, r.verdict)
		}
		glance := find(t, r.datatype).IsCanonical([]byte(r.lexical))
		if glance {
			glances++
		}
		if glance && (r.verdict != xsd.Valid || r.lexical != r.canonical) {
			t.Errorf("%s %q is canonical at a glance, and is not", r.datatype, r.lexical)
		}
		if counts[r.datatype] == nil {
			counts[r.datatype] = &count{}
		}
		key := r.datatype + " " + r.lexical
		switch c := counts[r.datatype]; {
		case seen[key]: // each form counts once
		case r.verdict == xsd.IllTyped:
			c.no++
		case r.lexical == r.canonical:
			c.yes++
		case r.verdict == xsd.Valid:
			c.as++
		}
		seen[key] = true
	}
	if glances < 100 {
		t.Errorf("only %d are canonical at a glance", glances)
	}
	// Some have fewer forms than that, or one form for each value.
	few := map[string]bool{"xsd:boolean": true}
	single := map[string]bool{"xsd:normalizedString": true, "xsd:token": true, "xsd:language": true, "xsd:NMTOKEN": true, "xsd:Name": true,
		"xsd:NCName": true, "xsd:anyURI": true, "rdf:XMLLiteral": true, "rdf:JSON": true, "geo:wktLiteral": true, "geo:gmlLiteral": true,
		"geo:geoJSONLiteral": true}
	for _, name := range xsd.Names() {
		c := counts[name]
		switch {
		case c == nil:
			t.Errorf("%s has no table", name)
		case !few[name] && c.yes < 20, c.no < 20, !few[name] && !single[name] && c.as < 10:
			t.Errorf("%s: %d accepted, %d canonicalised, %d refused", name, c.yes, c.as, c.no)
		}
	}
}

// What is canonical stays as it is, and nothing that is ill-typed becomes sound by
// being appended to something.
func FuzzCanonicalFormIsInTheLexicalSpaceAndStable(f *testing.F) {
	for i, r := range table(f) {
		if i%7 == 0 {
			f.Add(r.datatype, r.lexical)
		}
	}
	known := map[string]bool{}
	for _, name := range xsd.Names() {
		known[name] = true
	}
	f.Fuzz(func(t *testing.T, name, lexical string) {
		if !known[name] {
			return
		}
		d := find(t, name)
		canonical, verdict := d.AppendCanonical(nil, []byte(lexical))
		if d.IsCanonical([]byte(lexical)) && (verdict != xsd.Valid || string(canonical) != lexical) {
			t.Fatalf("%s %q is canonical at a glance, and is not", name, lexical)
		}
		if verdict != xsd.Valid {
			d.Why([]byte(lexical))
			return
		}
		again, verdict := d.AppendCanonical(nil, canonical)
		if verdict != xsd.Valid || string(again) != string(canonical) {
			t.Fatalf("%s %q: %q, then %q, %d", name, lexical, canonical, again, verdict)
		}
		if a, b := value(name, lexical), value(name, string(canonical)); a != b {
			t.Fatalf("%s %q: the value %s became %s in %q", name, lexical, a, b, canonical)
		}
	})
}

func TestCanonicalFormKeepsTheValue(t *testing.T) {
	for _, r := range table(t) {
		if r.verdict != xsd.Valid {
			continue
		}
		if a, b := value(r.datatype, r.lexical), value(r.datatype, r.canonical); a != b {
			t.Errorf("%s %q: the value %s became %s in %q", r.datatype, r.lexical, a, b, r.canonical)
		}
	}
}

func ExampleFind() {
	d := xsd.Find([]byte("http://www.w3.org/2001/XMLSchema#dateTime"))
	canonical, verdict := d.AppendCanonical(nil, []byte("1999-12-31T24:00:00.0"))
	fmt.Printf("%s %v\n", canonical, verdict == xsd.Valid)
	// Output: 2000-01-01T00:00:00 true
}
