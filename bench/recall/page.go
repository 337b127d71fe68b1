package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

// flags are those on which the figures depend, where they are not as they are without a flag.
func (o *options) flags() (set string) {
	seeds := strings.ReplaceAll(strings.Trim(fmt.Sprint(o.seeds), "[]"), " ", ",")
	for _, f := range []struct{ name, value string }{
		{"places", fmt.Sprint(o.places)}, {"statements", fmt.Sprint(o.statements)}, {"dense", fmt.Sprint(o.dense)}, {"seeds", seeds},
	} {
		if flag.Lookup(f.name).DefValue != f.value {
			set += " -" + f.name + " " + f.value
		}
	}
	if o.without {
		set += " -without"
	}
	return set
}

// page writes the tables as Markdown.
func (t *tables) page(to io.Writer) {
	fmt.Fprintf(to, `# What broken documents keep

A fault should cost the statement it is in and no other, and nothing should be
read that nobody wrote. This page measures it. It is written by

    go -C bench run ./recall%s -write ../docs/recall.md

(seeds %s, with each %d places of each kind in documents of at least %d statements, and one document
of at least %d statements per format with one fault in a hundred statements).
Documents are laid out in these ways by turns:

%s

The control is what a program reads of the clean documents, which are made of every format with all that it
offers. A program is given faults only in documents that it reads whole without them; so the numbers of
faults differ. A document with many faults is one draw: a single fault can cost all that follows.
Each statement knows the tokens that it needs. A fault is put in at a known place; the statements
that need a token which it changed are *touched*, all others *untouched*.

| the fault changes | and touches |
|---|---|
| a subject, or the tag or brace that begins a node | all statements of the node |
| a predicate | all statements with its objects |
| an object | its statement |
| a comma, a semicolon, the end of an element | the statements on both sides |
| a dot | the statement before it |
| the line end of a line format | its line |
| nothing: something is put between two tokens | the statements that need either token, if both are in one statement or node; else none |
| a quotation mark or a > that is gone | the rest of its line |
| a bracket or brace that is gone or too many | what follows, to the end of the outermost node, since its subject is not known |
| the } of a graph that is gone | what follows, to the next graph; without an indent that shows more, all but its first node |
| any part of a broken tag of XML | all parts of the tag |
| in JSON-LD, what leads to a list | the cells of the list, too |
| a ] that is gone, in Turtle and TriG | what the indent shows to be in it; on one line, all but the first object of each open bracket |
| the end of a line that is cut off | the rest of a list in it, and the subject of what follows a bracket or dot in it |
| the same, with the beginning of a string over several lines in it | also the subject of what follows if no indent shows it, and on one line its graph |

Where a < or a quotation mark is gone after a name, a space stands for it: else it would be another name.
The beginning of a string over several lines is not taken away where the end of the one before it is
gone: together they would be one string, and nothing would be wrong.

| column | statements or faults that it counts |
|---|---|
| *saved* | untouched statements that were read |
| *invented* | statements that the clean document does not hold, without a notice of a repair; for the other programs, which give none, all such |
| *changed* | such statements with a notice of a repair |
| *legal* | of both, those that the broken text says by the rules of its format |
| *right line* | faults with a notice between the line where the broken thing begins and the line of the next token; of a bracket or brace that is gone, from the outermost that opens to the end of what it touches |
| *mended* | touched statements that were read as they were meant |
| *stopped* | texts on which a program did not end within two seconds for each 128 kB; what serdi and rapper had written by then counts |

A statement is *legal* only where that is shown. A fault, or two near each other, can make legal text with
another meaning: a lost line with its dot can leave a subject and object for the predicate before, and two lost brackets
can balance. So each fault near the statement, and each two of the %d nearest on either side, are put into the clean
document alone. If Laundromat reads that text without a notice, and another program, which reads the clean
document whole, reads it to its end without a word, and both read the statement from it, it is legal; else it is invented.%s
Statements are the same if their nodes without a name are the same by what is said of them.
Terms are compared by value: "1.0E1" and "10" are one xsd:double.

`, t.flags(), strings.Trim(fmt.Sprint(t.options.seeds), "[]"), t.places, t.statements, t.options.dense, t.layoutList(), faultsAround,
		t.noWitnesses())
	t.beside(to)
	t.controls(to)
	t.summary(to, "One fault in a document", t.single)
	t.summary(to, "One fault in a hundred statements", t.dense)
	t.byLayout(to)
	t.misses(to)
	t.setTables(to)
	t.worths(to)
	fmt.Fprint(to, "## The faults\n\n")
	faultRows(to, faults)
	if len(t.inSets) > 0 {
		slipTable(to)
	}
}

// controls is what the programs read of documents without a fault.
func (t *tables) controls(to io.Writer) {
	fmt.Fprint(to, "## Control: no fault\n\n| format | program | documents | read whole | statements | read | of | invented |\n|---|---|--:|--:|--:|--:|--:|--:|\n")
	for _, f := range formats {
		for _, p := range t.programs {
			if s := t.clean[[2]string{p, f.name}]; s != nil {
				fmt.Fprintf(to, "| %s | %s | %d | %d | %d | %d | %s | %d |\n", f.name, p, s.runs, s.whole, s.untouched, s.saved,
					percent(s.saved, s.untouched), s.invented+s.changed)
			}
		}
	}
	fmt.Fprintln(to)
}

func (t *tables) layoutList() string {
	var b strings.Builder
	for _, l := range t.options.layouts {
		fmt.Fprintf(&b, "- %s: %s\n", l.name, l.sentence)
	}
	return b.String()
}

// noWitnesses says so where no other program could be asked what is legal.
func (t *tables) noWitnesses() string {
	if len(t.proof.witnesses) > 0 {
		return ""
	}
	return " No other program was there to ask: all count as invented."
}

// beside names the other programs, and what was not there.
func (t *tables) beside(to io.Writer) {
	if len(t.versions) > 0 {
		fmt.Fprintf(to, "Beside it: %s. serdi with `-l`, rapper in N-Triples and N-Quads, and oxigraph, whose iterator is asked again after what it throws,\n"+
			"read on after a fault: serdi at the next line, oxigraph's oxttl at the next line in N-Triples and N-Quads and at the next dot or } in Turtle and\n"+
			"TriG. The others end at the first (riot reports some as warnings and goes on), and what they had read by then counts. jsonld.js, and riot and rdflib in JSON-LD, read all or nothing.\n",
			strings.Join(t.versions, ", "))
	}
	for _, m := range t.missing {
		fmt.Fprintf(to, "%s was not there: %s.\n", m.Name, m.Why)
	}
	if t.peers {
		fmt.Fprintln(to, "How to get them: [benchmarks.md](benchmarks.md#readers).")
	}
	fmt.Fprintln(to)
}

// byLayout is what Laundromat reads of each layout.
func (t *tables) byLayout(to io.Writer) {
	if len(t.options.layouts) < 2 {
		return
	}
	fmt.Fprint(to, "## Laundromat, by layout\n\nOne fault in a document.\n\n| format | layout | faults | untouched | saved | of | invented | right line |\n|---|---|--:|--:|--:|--:|--:|--:|\n")
	for _, f := range formats {
		for _, l := range t.options.layouts {
			if s := t.laid[[2]string{l.name, f.name}]; s != nil {
				fmt.Fprintf(to, "| %s | %s | %d | %d | %d | %s | %d | %s |\n", f.name, l.name, s.faults, s.untouched, s.saved,
					percent(s.saved, s.untouched), s.invented, percent(s.placed, s.faults))
			}
		}
	}
	fmt.Fprintln(to)
}

func (t *tables) summary(to io.Writer, title string, scores map[[2]string]*score) {
	fmt.Fprintf(to, "## %s\n\n| format | program | faults | untouched | saved | of | invented | legal | changed | right line | mended | stopped |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
		title)
	for _, f := range formats {
		for _, p := range t.programs {
			s := scores[[2]string{p, f.name}]
			if s == nil {
				continue
			}
			fmt.Fprintf(to, "| %s | %s | %d | %d | %d | %s | %d | %d | %d | %s | %s | %d |\n", f.name, p, s.faults, s.untouched, s.saved,
				percent(s.saved, s.untouched), s.invented, s.legal, s.changed, percent(s.placed, s.faults), percent(s.mended, s.touched),
				s.endless)
		}
	}
	fmt.Fprintln(to)
}

// misses lists the kinds in which Laundromat lost, invented or misplaced anything.
func (t *tables) misses(to io.Writer) {
	fmt.Fprint(to, "## Where Laundromat misses\n\nKinds of fault, one in a document, in which an untouched statement was lost, one was invented, or a fault was not reported on its line.\n\n| format | fault | runs | untouched | lost | invented | not on its line |\n|---|---|--:|--:|--:|--:|--:|\n")
	for _, f := range formats {
		for i := range faults {
			s := t.kinds[[3]string{"laundromat", f.name, faults[i].name}]
			if s == nil || s.saved == s.untouched && s.invented == 0 && s.placed == s.faults {
				continue
			}
			fmt.Fprintf(to, "| %s | %s | %d | %d | %d | %d | %d |\n", f.name, faults[i].name, s.runs, s.untouched, s.untouched-s.saved,
				s.invented, s.faults-s.placed)
		}
	}
	fmt.Fprintln(to)
}
