package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"laundromat/internal/fault"
)

func (p *program) explainCommand() *cobra.Command {
	var markdown, repairs bool
	c := &cobra.Command{
		Use:   "explain [CODE]",
		Short: "What a code means and how a publisher mends it",
		Args:  cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var codes []string
			for _, info := range fault.Codes() {
				codes = append(codes, string(info.Code)+"\t"+info.Title)
			}
			return codes, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case repairs && len(args) > 0:
				return usage("--repairs lists all repairs; CODE has no place beside it")
			case repairs && markdown:
				return writeRepairs(p.out)
			case repairs:
				return p.listRepairs()
			case markdown:
				return writeCodes(p.out)
			case len(args) == 0:
				return p.listCodes()
			}
			return p.explain(fault.Code(args[0]))
		},
	}
	c.Flags().BoolVar(&repairs, "repairs", false, "list what is repaired, and why the intention is plain")
	c.Flags().BoolVar(&markdown, "markdown", false, "write the page of the documentation that explains every code, or every repair")
	return c
}

// writeCodes writes docs/notices.md.
func writeCodes(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# Notice and error codes\n\n" +
		"Made by `go run ./cmd/laundromat explain --markdown > docs/notices.md`; do not edit.\n\n" +
		"A *notice* is a finding in the data. Its severity says what became of the statement: `note` (legal, only\n" +
		"written in canonical form), `warning` (doubtful, kept as it was), `repair` (wrong, kept, changed; `--strict`\n" +
		"drops it), `drop` (lost). An *error* ended the work on a document. Codes are stable for ever. What is repaired, with\n" +
		"an example of each, stands in [repairs](repairs.md).\n")
	group := ""
	for _, info := range fault.Codes() {
		if g, _, _ := strings.Cut(string(info.Code), "/"); g != group {
			group = g
			fmt.Fprintf(&b, "\n## %s\n", group)
		}
		fmt.Fprintf(&b, "\n### `%s`\n\n*%s: %s.* %s\n\nTo mend it: %s\n", info.Code, severityOf(info), info.Title, info.Explain, info.Mend)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// severityOf is the usual severity of a code; "error" for codes of errors.
func severityOf(info fault.Info) string {
	if info.Severity == 0 {
		return "error"
	}
	return info.Severity.String()
}

func (p *program) explain(code fault.Code) error {
	info, ok := fault.Explain(code)
	if !ok {
		return usage("there is no code %q%s", code, nearCodes(code))
	}
	if p.json {
		return encodeTo(p.out, info)
	}
	repair := ""
	if mended, ok := fault.RepairOf(code); ok {
		repair = wrap("Repaired: "+mended.Done+" "+mended.Why) + "\n\n"
	}
	_, err := fmt.Fprintf(p.out, "%s (%s): %s\n\n%s\n\n%sTo mend it: %s\n", info.Code, severityOf(info), info.Title, wrap(info.Explain), repair, wrap(info.Mend))
	return err
}

func (p *program) listCodes() error {
	for _, info := range fault.Codes() {
		if p.json {
			if err := encodeTo(p.out, info); err != nil {
				return err
			}
			continue
		}
		if _, err := fmt.Fprintf(p.out, "%-34s %-8s %s\n", info.Code, severityOf(info), info.Title); err != nil {
			return err
		}
	}
	return nil
}

// writeRepairs writes docs/repairs.md.
func writeRepairs(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# Repairs\n\n" +
		"Made by `go run ./cmd/laundromat explain --repairs --markdown > docs/repairs.md`; do not edit.\n\n" +
		"A *repair* is made only where a single intention is plain. What leaves two readings open is kept as it was with a\n" +
		"warning, or dropped; see [notice codes](notices.md). This is all that is ever repaired: a test fails if a reader repairs\n" +
		"what is not in this table, and washes every example below.\n\n" +
		"With `--strict` a repair is a drop: the statements that it touches are lost and counted. Some repairs touch no\n" +
		"statement, such as that of a stray dot. `--strict` tells these as drops too, in which no statement is lost, and the\n" +
		"exit code is 3 as after any drop: strict means that every fault of the document is held against it.\n\n" +
		"The base of the examples is `http://e/doc`. Bytes that can't be shown stand as `\\xE9`.\n")
	group := ""
	for _, mended := range fault.Repairs() {
		if g, _, _ := strings.Cut(string(mended.Code), "/"); g != group {
			group = g
			fmt.Fprintf(&b, "\n## %s\n", group)
		}
		fmt.Fprintf(&b, "\n### `%s`\n\n%s *Why it is plain:* %s\n", mended.Code, mended.Done, mended.Why)
		for _, e := range mended.Examples {
			fmt.Fprintf(&b, "\n%s:\n\n```\n%s```\n\nwashes to\n\n```\n%s```\n\n", e.Format, shown(e.Before), shown(e.After))
			switch e.Strict {
			case "":
				b.WriteString("and with `--strict` to nothing.\n")
			case e.After:
				b.WriteString("and with `--strict` to the same: the repair touches no statement.\n")
			default:
				fmt.Fprintf(&b, "and with `--strict` to\n\n```\n%s```\n", shown(e.Strict))
			}
		}
	}
	b.WriteString("\n## Only where they are asked for\n")
	for _, mended := range fault.AskedRepairs() {
		fmt.Fprintf(&b, "\n### `%s`\n\n%s *Why only then:* %s\n", mended.Code, mended.Done, mended.Why)
		for _, e := range mended.Examples {
			fmt.Fprintf(&b, "\n%s:\n\n```\n%s```\n\nwashes to\n\n```\n%s```\n", e.Format, shown(e.Before), shown(e.After))
		}
	}
	b.WriteString("\n## In tables and trees\n\nThe documents become records, which are shown as lines of JSON.\n")
	for _, mended := range fault.RecordRepairs() {
		fmt.Fprintf(&b, "\n### `%s`\n\n%s *Why it is plain:* %s\n", mended.Code, mended.Done, mended.Why)
		for _, e := range mended.Examples {
			fmt.Fprintf(&b, "\n%s:\n\n```\n%s```\n\nbecomes\n\n```\n%s```\n", e.Format, shown(e.Before), shown(e.After))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// shown is the text of an example with a line end behind it, and what can't be shown
// as \xHH or \uHHHH.
func shown(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && text[i] != "\uFFFD"[0]:
			fmt.Fprintf(&b, "\\x%02X", text[i])
		case r < ' ' && r != '\n', unicode.Is(unicode.Co, r):
			fmt.Fprintf(&b, "\\u%04X", r)
		default:
			b.WriteRune(r)
		}
	}
	return strings.TrimSuffix(b.String(), "\n") + "\n"
}

func (p *program) listRepairs() error {
	for _, mended := range slices.Concat(fault.Repairs(), fault.AskedRepairs(), fault.RecordRepairs()) {
		if p.json {
			mended.Examples = slices.Clone(mended.Examples)
			for i, e := range mended.Examples {
				if !utf8.ValidString(e.Before) { // JSON can't hold it
					mended.Examples[i].Before = shown(e.Before)
				}
			}
			if err := encodeTo(p.out, mended); err != nil {
				return err
			}
			continue
		}
		if _, err := fmt.Fprintf(p.out, "%s\n%s\n\n", mended.Code, wrap(mended.Done+" "+mended.Why)); err != nil {
			return err
		}
	}
	return nil
}

// nearCodes names the codes that a mistyped one may mean: those that share its name
// or its group.
func nearCodes(code fault.Code) string {
	group, name, _ := strings.Cut(string(code), "/")
	var near []string
	for _, info := range fault.Codes() {
		g, n, _ := strings.Cut(string(info.Code), "/")
		if n == name || n == group || g == group {
			near = append(near, string(info.Code))
		}
	}
	if len(near) == 0 {
		return "; \"laundromat explain\" lists all"
	}
	return "; there are " + strings.Join(slices.Compact(near), ", ")
}

// wrap breaks text into lines of at most 78 characters.
func wrap(text string) string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > 78 {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return strings.Join(append(lines, line), "\n")
}
