package main

import (
	"fmt"
	"io"
	"strings"
)

// page writes the tables as Markdown.
func (t *tables) page(to io.Writer) {
	fmt.Fprintf(to, `# What broken documents keep

A fault should cost the statement it stands in and no other, and nothing should be
read that nobody wrote. This page measures it. It is written by

    go run ./bench/recall -write docs/recall.md

(seed %d, %d places of each kind, documents of at least %d statements; and one document
of at least %d statements a format with one fault in a hundred statements).

The control is what a program reads of a clean document: where that is not all of it, its other
figures for the format say nothing of faults. One dense document a format is one draw: a single fault that derails
a reader can cost all that follows. Clean documents are made of every format, with all that the format offers: prefixes,
lists, nested nodes, strings over several lines, numbers, graphs, typed nodes, attributes
for properties, parse types. Each statement knows the tokens that it can't be read
without. A fault is put in at a known place; the statements that need a token which the
fault changed are *touched*, all others *untouched*.

- A subject, or the tag or brace that begins a node, is needed by all statements of the
  node; a predicate by all its objects; an object by its statement.
- A comma, semicolon or end of an element is needed by the statements on both sides of it; a dot by
  the statement before it. The line end of a line format is needed by its line.
- What is put between two tokens touches the statements that need either, if both stand
  in the same statement or node; else nothing.
- Where a quotation mark or a > is gone, the rest of its line is touched. Where a bracket or
  brace that opens or closes a node is gone or too many, what follows is touched up to the end of the
  outermost node, since its subject is not known; where the } of a graph is gone, up to the next graph.
- All parts of a broken tag of XML are touched.

*Saved* are the untouched statements that were read. *Invented* are statements that the
clean document does not hold and that no repair is told of; *changed* are those of which one is. *Right line*
are faults with a notice on a line from where the broken thing begins to where the next
token begins (of a bracket or brace, to the end of what it touches). *Mended* are touched statements that were read as they were meant.
*Stopped* are texts on which a program did not end within two seconds; what it had written by then counts.

`, t.seed, t.places, t.statements, t.options.dense)
	t.summary(to, "Control: no fault", t.clean)
	t.summary(to, "One fault in a document", t.single)
	t.summary(to, "One fault in a hundred statements", t.dense)
	for _, name := range t.missing {
		fmt.Fprintf(to, "%s is not installed here, and was left out.\n\n", name)
	}
	t.misses(to)
	fmt.Fprint(to, "## The faults\n\n| fault | what is wrong | formats |\n|---|---|---|\n")
	for i := range faults {
		var in []string
		for _, f := range formats {
			if faults[i].in(f.name) {
				in = append(in, f.name)
			}
		}
		fmt.Fprintf(to, "| %s | %s | %s |\n", faults[i].name, strings.ReplaceAll(faults[i].sentence, "<", "&lt;"), strings.Join(in, ", "))
	}
}

func (t *tables) summary(to io.Writer, title string, scores map[[2]string]*score) {
	fmt.Fprintf(to, "## %s\n\n| format | program | faults | untouched | saved | of | invented | changed | right line | mended | stopped |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n", title)
	for _, f := range formats {
		for _, p := range t.programs {
			s := scores[[2]string{p, f.name}]
			if s == nil {
				continue
			}
			fmt.Fprintf(to, "| %s | %s | %d | %d | %d | %s | %d | %d | %s | %s | %d |\n", f.name, p, s.faults, s.untouched, s.saved,
				percent(s.saved, s.untouched), s.invented, s.changed, percent(s.placed, s.faults), percent(s.mended, s.touched), s.endless)
		}
	}
	fmt.Fprintln(to)
}

// misses lists the kinds in which Laundromat lost, invented or misplaced anything.
func (t *tables) misses(to io.Writer) {
	fmt.Fprint(to, "## Where Laundromat misses\n\nKinds of fault, one in a document, in which an untouched statement was lost, one was invented, or a fault was not told on its line.\n\n| format | fault | runs | untouched | lost | invented | not on its line |\n|---|---|--:|--:|--:|--:|--:|\n")
	for _, f := range formats {
		for i := range faults {
			s := t.kinds[[3]string{"laundromat", f.name, faults[i].name}]
			if s == nil || s.saved == s.untouched && s.invented == 0 && s.placed == s.faults {
				continue
			}
			fmt.Fprintf(to, "| %s | %s | %d | %d | %d | %d | %d |\n", f.name, faults[i].name, s.runs, s.untouched, s.untouched-s.saved, s.invented, s.faults-s.placed)
		}
	}
	fmt.Fprintln(to)
}
