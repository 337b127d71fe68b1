package encoding

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"laundromat/internal/fault"
)

// A declaration is kept until the words are likelier in another encoding by more than the margin. The
// default of a server falls soon, an encoding that somebody chose late.
func TestDeclarationsFallAtTheirMargins(t *testing.T) {
	words := strings.Fields("ő nő fő idő eső erő kő bő cipő tető erdő mező szőlő felhő ernő " +
		"tűz fű mű gyűrű egyszerű keserű győztes költő régió hős idős vőfély")
	for declared, margin := range map[string]float64{"iso-8859-1": sure, "iso-8859-9": overrule, "iso-8859-15": overrule} {
		stood, fell := 0, 0
		for n := 1; n <= len(words); n++ {
			var text strings.Builder
			for i, word := range words[:n] {
				fmt.Fprintf(&text, "<http://example.org/%d> <http://example.org/name> \"%s\" .\n", i, word)
			}
			raw, err := charmap.ISO8859_2.NewEncoder().Bytes([]byte(text.String()))
			if err != nil {
				t.Fatal(err)
			}
			h := Hints{ContentType: "text/plain; charset=" + declared}
			presumed, _ := Presume(raw, h)
			c, _, notices, err := Decide(context.Background(), bytes.NewReader(raw), presumed, h)
			if err != nil {
				t.Fatal(err)
			}

			s := &counts{}
			if err := survey(context.Background(), bytes.NewReader(raw), s, nil); err != nil {
				t.Fatal(err)
			}
			sample := s.sample.words.texts()
			ranking := weigh(slices.Concat(candidates(), mixedReadings()), sample)
			best, by := ranking[0], ranking[0].score-weigh([]*reading{readingOf(declared)}, sample)[0].score
			want := declared
			if by > margin && !sameFamily(best.name, declared) {
				want = best.name
				fell++
			} else {
				stood++
			}
			if !sameFamily(c.Name, want) {
				t.Errorf("%d words, declared %s: read as %s, though %s is likelier by e^%.1f", n, declared, c.Name, best.name, by)
			}
			told := slices.ContainsFunc(notices, func(n fault.Notice) bool { return n.Code == fault.EncodingDisagreement })
			if told != (want != declared) {
				t.Errorf("%d words, declared %s, read as %s: the disagreement is told: %v", n, declared, c.Name, told)
			}
		}
		if stood == 0 || fell == 0 {
			t.Errorf("declared %s: it stood in %d documents and fell in %d, so that nothing is proven", declared, stood, fell)
		}
	}
	if sure != 12 || overrule != 40 {
		t.Errorf("the margins are %d and %d", sure, overrule)
	}
}
