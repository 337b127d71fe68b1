package format_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"laundromat/encoding"
	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
)

// Each example of the table of repairs is washed. It gives that one finding and the clean lines of the
// table. With strict it gives what the table says, reports the finding as a drop, and counts the
// others as lost.
func TestEachRepairIsMadeAsTheTableSays(t *testing.T) {
	lines := func(text string) []string {
		all := strings.SplitAfter(text, "\n")
		return all[:len(all)-1]
	}
	for _, mended := range append(fault.Repairs(), fault.AskedRepairs()...) {
		asked := mended.Code == fault.LiteralMojibakeMended
		if len(mended.Examples) == 0 {
			t.Errorf("%s has no example", mended.Code)
		}
		for _, e := range mended.Examples {
			w := washExample(t, e, clean.Options{FixMojibake: asked})
			codes := func(w lawful) (all []string) {
				for _, n := range w.notices {
					// What a repair keeps may be reported as a text too, and a missing context is named.
					if n.Code != fault.LiteralControl && n.Code != fault.JSONContextMissing {
						all = append(all, n.Severity.String()+" "+string(n.Code))
					}
				}
				return all
			}
			if got := strings.Join(w.lines, ""); got != e.After || !slices.Equal(codes(w), []string{"repair " + string(mended.Code)}) {
				t.Errorf("%s %s\n%q\ngives %q, not %q\n%s", mended.Code, e.Format, e.Before, got, e.After, w.found())
			}
			s := washExample(t, e, clean.Options{Strict: true, FixMojibake: asked})
			lost := int64(len(lines(e.After)) - len(lines(e.Strict)))
			if got := strings.Join(s.lines, ""); got != e.Strict || s.tally.Dropped != lost || s.tally.Repaired != 0 {
				t.Errorf("%s %s\n%q\nunder strict leaves %q, not %q; %+v\n%s", mended.Code, e.Format, e.Before, got, e.Strict, s.tally,
					s.found())
			}
			for _, code := range codes(s) {
				if code != "drop "+string(mended.Code) {
					t.Errorf("%s %s: strict tells %s", mended.Code, e.Format, code)
				}
			}
		}
	}
}

func washExample(t *testing.T, e fault.Example, how clean.Options) lawful {
	t.Helper()
	of, err := format.Named(e.Format)
	if err != nil || string(of) != e.Format {
		t.Fatalf("%q isn't a format: %v", e.Format, err)
	}
	if !utf8.ValidString(e.Before) {
		choice, _, _, err := encoding.Decide(t.Context(), strings.NewReader(e.Before), encoding.Choice{Name: "utf-8"},
			encoding.Hints{Given: "utf-8"})
		if err != nil {
			t.Fatal(err)
		}
		how.ReadStray = choice.Strays.Read
	}
	how.KeepBlankNodes, how.HasAnonymous = true, of != format.NTriples && of != format.NQuads
	w, err := washLawfully(how, of, format.Options{Input: rdf.Input{Base: "http://e/doc"}}, strings.NewReader(e.Before))
	if err != nil {
		t.Fatal(err)
	}
	for i := range w.lines {
		w.lines[i] += "\n"
	}
	return w
}
