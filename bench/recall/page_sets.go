package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"laundromat/internal/rule"
)

// setTables writes what was measured of the sets.
func (t *tables) setTables(to io.Writer) {
	if len(t.inSets) == 0 {
		return
	}
	fmt.Fprintf(to, `## Further sets

The programs that read on after faults, with documents of other origin and size. Each set is made with the seeds %s, and
with %d places of each kind of fault. *Ours* says that this program makes the documents. The others are real files, which
people publish, with faults that this program puts in.

| set | documents | |
|---|---|---|
`, strings.Trim(fmt.Sprint(t.options.seeds), "[]"), max(1, t.places))
	for _, s := range sets() {
		fmt.Fprintf(to, "| %s | %s | %s |\n", s.name, map[bool]string{true: "ours", false: "not ours"}[s.ours], s.sentence)
	}
	fmt.Fprintf(to, `
A row of broken statements has the same fault in each of its blocks: a line, a statement of Turtle up to its dot, a node of RDF/XML, or
an item of JSON-LD. Of a real file only blocks are known, not which statement a token belongs to: a fault touches all statements
of its block. Real files are those that other programs read whole and in which Laundromat mends and drops nothing, with at least
%d blocks and at most %d kB. Their statements are those that Laundromat reads of the clean file. Blank nodes of real files are
told apart by their places; of a program that gives none, only statements without a blank node count.
Of serdi and oxigraph all that the clean document does not hold is *invented*.

`, leastBlocks, realBytes>>10)
	t.realFiles(to)
	fmt.Fprint(to, "| set | format | program | faults | untouched | kept | of | lost | invented | changed | not reported |\n|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, one := range sets() {
		for _, f := range formats {
			for _, p := range t.programs {
				if s := t.inSets[setKey{one.name, p, f.name}]; s != nil {
					fmt.Fprintf(to, "| %s | %s | %s | %d | %d | %d | %s | %d | %d | %d | %d |\n", one.name, f.name, p, s.faults,
						s.untouched, s.saved,
						percent(s.saved, s.untouched), s.untouched-s.saved, s.invented, s.changed, s.faults-s.placed)
				}
			}
		}
	}
	fmt.Fprintln(to)
}

// realFiles says which real files there were.
func (t *tables) realFiles(to io.Writer) {
	var all []string
	for _, f := range formats {
		if n := len(t.real[f.name]); n > 0 {
			statements := 0
			for _, d := range t.real[f.name] {
				statements += len(d.statements)
			}
			all = append(all, fmt.Sprintf("%d of %s (%d statements, %d others left out)", n, f.name, statements, t.realLeft[f.name]))
		}
	}
	if len(all) == 0 {
		fmt.Fprint(to, "No real files were there.\n\n")
		return
	}
	fmt.Fprintf(to, "Real files: %s.\n\n", strings.Join(all, "; "))
}

// worths writes what each rule is worth.
func (t *tables) worths(to io.Writer) {
	if len(t.worth) == 0 {
		return
	}
	fmt.Fprintf(to, `## What each rule is worth

Every document of the further sets, but for rows of %d, is read once without each rule that would act in it. The rules are those of the tables
that the packages have; [recovery.md](recovery.md) says how they work together.

| column | counts |
|---|---|
| *acts in* | documents with faults in which the rule would act |
| *differs* | of these, those that are read otherwise without it |
| *lost without it* | untouched statements more that are lost; less than 0: fewer |
| *invented without it* | statements more that the clean document does not hold; in brackets, those without a notice of a repair |
| *not reported* | faults more without a notice on their line |
| *mended by it* | touched statements that only with it are read as they were meant |

`, rowLengths[len(rowLengths)-1])
	var written []*rule.Table // Turtle and TriG share one
	for _, f := range formats {
		for _, table := range rules[f.name] {
			if t.worth[rule.Ref{Table: table}] == nil || slices.Contains(written, table) {
				continue
			}
			written = append(written, table)
			fmt.Fprintf(to, "### %s\n\n| rule | what it does | acts in | differs | lost without it | invented without it | not reported | mended by it |\n|---|---|--:|--:|--:|--:|--:|--:|\n",
				table.Package)
			for _, r := range table.All() {
				t.worthOf(to, r)
			}
			fmt.Fprintln(to)
		}
	}
}

func (t *tables) worthOf(to io.Writer, r rule.Ref) {
	w := t.worth[r]
	if w == nil {
		return
	}
	fmt.Fprintf(to, "| %s | %s | %d | %d | %d | %d (%d) | %d | %d |\n", strings.ReplaceAll(r.Rule().Name, "<", "&lt;"),
		strings.ReplaceAll(r.Rule().Does, "<", "&lt;"),
		w.asked, w.differs, w.lost, w.invented, w.silent, w.untold, w.mended)
}

// slipTable lists what people write.
func slipTable(to io.Writer) {
	fmt.Fprint(to, "\n## The slips\n\nWhat people write, and programs that know no grammar; examples of ours.\n\n")
	faultRows(to, slips)
}

// faultRows lists the kinds of a table.
func faultRows(to io.Writer, table []fault) {
	fmt.Fprint(to, "| fault | what is wrong | formats |\n|---|---|---|\n")
	for i := range table {
		var in []string
		for _, f := range formats {
			if table[i].in(f.name) {
				in = append(in, f.name)
			}
		}
		escaped := strings.NewReplacer("<", "&lt;", "|", `\|`, "&", "&amp;").Replace(table[i].sentence)
		fmt.Fprintf(to, "| %s | %s | %s |\n", table[i].name, escaped, strings.Join(in, ", "))
	}
}
