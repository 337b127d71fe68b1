package jsonld

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/rdftest"
)

func readHolding(t *testing.T, text string, opt Options, pieces bool) *rdftest.Collector {
	t.Helper()
	var got rdftest.Collector
	opt.Temp = t.TempDir()
	from := strings.NewReader(text)
	var err error
	if in := (rdf.Input{Base: "http://b/"}); pieces {
		err = Read(context.Background(), iotest.HalfReader(from), in, opt, &got)
	} else {
		err = Read(context.Background(), from, in, opt, &got)
	}
	if err != nil {
		t.Fatal(err)
	}
	return &got
}

// permutations does something with all orders of a few.
func permutations(of []string, do func([]string)) {
	var next func(int)
	next = func(i int) {
		if i == len(of) {
			do(of)
			return
		}
		for j := i; j < len(of); j++ {
			of[i], of[j] = of[j], of[i]
			next(i + 1)
			of[i], of[j] = of[j], of[i]
		}
	}
	next(0)
}

// notices shows notices in an order of their own.
func notices(all []fault.Notice) (lines []string) {
	for _, n := range all {
		lines = append(lines, fmt.Sprintf("%s %s %d:%d %d", n.Severity, n.Code, n.Line, n.Column, n.Lost))
	}
	slices.Sort(lines)
	return lines
}

// What members stand beside @graph, and where, decides what its nodes say. An object that is read
// twice, the nodes one by one, says what it says when it is held whole. Nodes without names have the
// same numbers, wherever its members are.
func TestAStreamedGraphSaysWhatOneHeldSays(t *testing.T) {
	nodes := `[`
	for i := range 7 {
		nodes += fmt.Sprintf(`{"id":"n%d","p":{"q":[%d,"x"]},"r":{"@list":["a",{}]}},`+"\n", i, i)
		if i == 5 {
			nodes += `"free",{"id":"alone"},{"@value":"free"},[{"p":"in an array"}],{"@graph":[{"id":"inner","p":"y"}]},`
		}
	}
	nodes += `{"p":"last"}]`
	contexts := []string{
		`"@context":{"@vocab":"http://v/","id":"@id","g":"@graph","T":{"@context":{"p":"http://t/p"}},"i":{"@id":"@index"}}`,
		`"@context":[{"@vocab":"http://v/","id":"@id"},{"g":{"@id":"@graph"}}]`,
	}
	beside := [][]string{
		{},
		{`"id":"name"`},
		{`"id":"_:named"`},
		{`"@type":"T"`},
		{`"p":{"q":"before or behind"}`},
		{`"p":"x"`, `"id":"name"`},
		{`"@index":"x"`},
		{`"unknown:":null`},
		{`"@included":[{"p":"in"}]`, `"@reverse":{"s":{"p":"t"}}`},
		{`"p":[1,2,3,{"q":[` + strings.Repeat(`"long",`, 30) + `4]}]`},
		{`"id":5`},
		{`"@version":1`},
	}
	for _, graph := range []string{"@graph", "g"} {
		for _, with := range contexts {
			for _, others := range beside {
				members := append([]string{with, `"` + graph + `":` + nodes}, others...)
				permutations(members, func(members []string) {
					text := "{" + strings.Join(members, ",") + "}"
					for _, text := range []string{text, "[" + text + "," + text + "]", text + "\n" + text} {
						want := readHolding(t, text, Options{}, false)
						for _, pieces := range []bool{false, text[0] == '{'}[:1+len(others)%2] {
							got := readHolding(t, text, Options{hold: 256}, pieces)
							if !slices.Equal(got.Lines(), want.Lines()) || !slices.Equal(notices(got.Notices), notices(want.Notices)) {
								i := 0
								for a, b := got.Lines(), want.Lines(); i < min(len(a), len(b)) && a[i] == b[i]; i++ {
								}
								t.Fatalf("%.300s … %.200q\ngives %d lines, %.300v,\nnot %d, %.300v; from line %d on\n%.500s\nand not\n%.500s",
									text, text[max(0, len(text)-200):], len(got.Quads), notices(got.Notices),
									len(want.Quads), notices(want.Notices), i, strings.Join(got.Lines()[i:], "\n"),
									strings.Join(want.Lines()[i:], "\n"))
							}
						}
					}
				})
			}
		}
	}
}
