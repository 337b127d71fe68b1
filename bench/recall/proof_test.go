package main

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// TestOnlyWhatAnotherProgramReadsToIsLegal holds the proof to what it claims. A statement that two
// faults make together is legal if a witness reads it as well and finds nothing wrong with the text.
// In every other case it is invented.
func TestOnlyWhatAnotherProgramReadsToIsLegal(t *testing.T) {
	// the first ] is gone, and the statement after it has a ] too many: the brackets balance
	d := &document{format: "Turtle", layout: "pretty", statements: []statement{
		{"<http://e/s>", "<http://e/p>", "_:n", ""}, {"_:n", "<http://e/q>", `"1"`, ""}, {"<http://e/s>", "<http://e/r>", `"2"`, ""},
	}}
	for _, part := range []struct {
		kind  kind
		text  string
		needs []int
	}{
		{iri, "<http://e/s>", []int{0, 2}}, {space, " ", nil}, {iri, "<http://e/p>", []int{0}}, {space, " ", nil},
		{openBracket, "[", []int{0, 1}},
		{space, " ", nil}, {iri, "<http://e/q>", []int{1}}, {space, " ", nil}, {quoted, `"1"`, []int{1}}, {space, " ", nil},
		{closeBracket, "]", []int{0, 1}},
		{space, " ", nil}, {semicolon, ";", []int{0, 2}}, {space, " ", nil}, {iri, "<http://e/r>", []int{2}}, {space, " ", nil},
		{quoted, `"2"`, []int{2}},
		{space, " ", nil}, {dot, ".", []int{2}}, {space, "\n", nil},
	} {
		d.block = 1
		d.add(part.kind, noRole, part.text, part.needs...)
	}
	d.finish()
	closing, end := strings.IndexByte(d.text, ']'), strings.LastIndexByte(d.text, '.')
	edits := []edit{{fault: &fault{}, from: closing, to: closing + 1}, {fault: &fault{}, from: end, to: end, with: "] "}}
	b := d.apply(slices.Clone(edits))

	ctx := context.Background()
	reads := func(change func(*reading)) program {
		return program{"witness", func(ctx context.Context, format, text string) (reading, bool, error) {
			r, err := washed(ctx, format, text)
			if r.content = true; text != d.text {
				change(&r)
			}
			return r, true, err
		}}
	}
	for _, c := range []struct {
		name    string
		witness []program
		legal   int
	}{
		{"a witness that reads the same", []program{reads(func(*reading) {})}, 1},
		{"nobody to ask", nil, 0},
		{"a witness that finds a fault", []program{reads(func(r *reading) { r.content = false })}, 0},
		{"a witness that reads another subject", []program{reads(func(r *reading) {
			for i := range r.statements {
				r.statements[i].subject = "<http://e/s>"
			}
		})}, 0},
		{"a witness that finds a fault in the clean text",
			[]program{{"witness", func(ctx context.Context, format, text string) (reading, bool, error) {
				r, err := washed(ctx, format, text)
				r.content = text != d.text
				return r, true, err
			}}}, 0},
	} {
		r, err := washed(ctx, d.format, b.text)
		if err != nil {
			t.Fatal(err)
		}
		_, _, invented := d.judge(b, r)
		if len(invented) != 1 || len(r.lines) != 0 {
			t.Fatalf("the broken text is read as %v, told on %v", r.statements, r.lines)
		}
		d.soundTo = nil
		rest, legal, err := (&proof{witnesses: c.witness}).take(ctx, d, b, invented)
		if err != nil || legal != c.legal || len(rest) != 1-c.legal {
			t.Errorf("%s: %d are legal, %d are invented, %v", c.name, legal, len(rest), err)
		}
	}
}
