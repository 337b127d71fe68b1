package extract

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// generatedSample is a text of some rows of words, marks, delimiters and other things that tables have.
func generatedSample(r *rand.Rand) string {
	parts := []string{"a", "word", "two words", `"in marks"`, `"a ""doubled"" one"`, `mark " within`, `"open`, "'s", "1.5", "2024-01-02",
		"#", "-", "---", "", "", "  ", "x\\\"y", "\"over\ntwo lines\""}
	delimiter, ends := []string{",", ";", " ", "\t", "|"}[r.IntN(5)], []string{"\n", "\n", "\r\n", "\r"}[r.IntN(4)]
	width, odd := 1+r.IntN(5), r.IntN(8)
	var b strings.Builder
	for range 1 + r.IntN(40) {
		n := width
		if r.IntN(20) < odd {
			n = r.IntN(7)
		}
		for i := range n {
			if i > 0 {
				b.WriteString(delimiter)
			}
			b.WriteString(parts[r.IntN(1+r.IntN(len(parts)))])
		}
		b.WriteString(ends)
	}
	return b.String()
}

// searched are the dialects in which a sample is read.
func searched() (all []dialect) {
	for _, delimiter := range []byte{0, ',', ';', ' ', '\t', '|'} {
		for _, quote := range []byte{0, '"', '\''} {
			all = append(all, dialect{delimiter: delimiter, quote: quote}, dialect{delimiter: delimiter, quote: quote, hash: true})
		}
	}
	return append(all, dialect{delimiter: ',', quote: '"', escape: '\\'})
}

func TestASecondReadingIsMadeOnlyWhereItMayDiffer(t *testing.T) {
	shown := func(rows []*row) (all []string) {
		for _, r := range rows {
			all = append(all, fmt.Sprintf("%q %v %v %v %v %v", r.texts, r.offs, r.blank, r.comment, r.lost, len(r.faults)))
		}
		return all
	}
	r, same := rand.New(rand.NewPCG(3, 4)), 0
	for range 700 {
		text := generatedSample(r)
		for _, d := range searched() {
			var rows []*row
			scan := newSampleScanner(context.Background(), []byte(text), true, d)
			readAll := func() []string {
				rows = rows[:0]
				for {
					next, err := scan.peek(len(rows))
					if next == nil || err != nil {
						return shown(rows)
					}
					rows = append(rows, next)
				}
			}
			first := readAll()
			width := tableWidth(rows)
			if slices.ContainsFunc(rows, func(r *row) bool { return r.byWidth }) || d.hash || width < 2 {
				continue
			}
			isFaulty := slices.ContainsFunc(rows, func(r *row) bool { return r.lost || len(r.faults) > 0 })
			scan.setWidth(width)
			if second := readAll(); !reflect.DeepEqual(first, second) {
				t.Fatalf("%+v: %q, with its width %q in %q", d, first, second, text)
			}
			if isFaulty {
				same++
			}
		}
	}
	if same < 100 {
		t.Errorf("only %d readings with faults need no second one", same)
	}
}

func TestReadingsThatCostTooMuchAreNoneOfTheTwo(t *testing.T) {
	r, dear := rand.New(rand.NewPCG(5, 6)), 0
	for range 700 {
		text := generatedSample(r)
		x := &search{ctx: context.Background(), text: []byte(text), held: text, whole: true, source: &Source{}, hint: ','}
		x.signs = countSampleSigns(x.text)
		for _, d := range searched() {
			least := bill{rareDelimiter: x.rarity(&d)}
			if x.best.evidence == "" || !x.isTooDear(&d, &least) {
				x.try(d)
				continue
			}
			dear++
			rows := x.read(d)
			f := found{dialect: d, evidence: describe(&d)}
			f.bill.weighRows(rows, &d, x.signs)
			f.bill.add(rareDelimiter, x.rarity(&d))
			_, layoutBill := weighTables(rows, x.source, false)
			f.bill.join(&layoutBill)
			best, second := x.best, x.second
			if x.keep(f, rows); !reflect.DeepEqual(best, x.best) || !reflect.DeepEqual(second, x.second) {
				t.Fatalf("%+v was passed over and is one of the two in %q", d, text)
			}
		}
	}
	if dear < 300 {
		t.Errorf("only %d readings were passed over", dear)
	}
}
