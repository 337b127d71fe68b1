// Package manual writes the pages of the documentation that explain every code and every repair,
// from the tables of package fault.
package manual

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"laundromat/internal/fault"
)

// WriteCodes writes the page docs/notices.md.
func WriteCodes(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# Notice and error codes\n\n" +
		"Made by `go run ./cmd/laundromat explain --markdown > docs/notices.md`; do not edit.\n\n" +
		"A *notice* is a finding in the data. Its severity says what became of the statement: `note` (legal, only\n" +
		"written in canonical form), `warning` (doubtful, kept as it was), `repair` (wrong, kept, changed; `--strict`\n" +
		"drops it), `drop` (lost). An *error* ended the work on a document. Codes never change. All repairs, with\n" +
		"an example of each, are in [repairs](repairs.md).\n")
	group := ""
	for _, info := range fault.Codes() {
		if g, _, _ := strings.Cut(string(info.Code), "/"); g != group {
			group = g
			fmt.Fprintf(&b, "\n## %s\n", group)
		}
		fmt.Fprintf(&b, "\n### `%s`\n\n%s\n\n%s\n", info.Code,
			fill(fmt.Sprintf("*%s: %s.* %s", SeverityOf(info), info.Title, info.Explain)), fill("To mend it: "+info.Mend))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// SeverityOf is the usual severity of a code; "error" for codes of errors.
func SeverityOf(info fault.Info) string {
	if info.Severity == 0 {
		return "error"
	}
	return info.Severity.String()
}

// WriteRepairs writes the page docs/repairs.md.
func WriteRepairs(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# Repairs\n\n" +
		"Made by `go run ./cmd/laundromat explain --repairs --markdown > docs/repairs.md`; do not edit.\n\n" +
		"A *repair* is made only if there is a single plausible intention. A fault with two readings is kept as it was with a\n" +
		"warning, or dropped; see [notice codes](notices.md). This table lists all repairs: a test fails if a reader repairs\n" +
		"anything else, and washes every example below.\n\n" +
		"With `--strict` a repair is a drop: the statements that it touches are lost and counted. Some repairs touch no\n" +
		"statement, such as that of a stray dot. `--strict` reports these as drops too, in which no statement is lost, and the\n" +
		"exit code is 3 as after any drop: strict means that every fault of the document is held against it.\n\n" +
		"The base of the examples is `http://e/doc`. Bytes that can't be shown are written as `\\xE9`.\n")
	group := ""
	for _, mended := range fault.Repairs() {
		if g, _, _ := strings.Cut(string(mended.Code), "/"); g != group {
			group = g
			fmt.Fprintf(&b, "\n## %s\n", group)
		}
		fmt.Fprintf(&b, "\n### `%s`\n\n%s\n", mended.Code, fill(mended.Done+" *Why it is plain:* "+mended.Why))
		for _, e := range mended.Examples {
			fmt.Fprintf(&b, "\n%s:\n\n```\n%s```\n\nwashes to\n\n```\n%s```\n\n", e.Format, Shown(e.Before), Shown(e.After))
			switch e.Strict {
			case "":
				b.WriteString("and with `--strict` to nothing.\n")
			case e.After:
				b.WriteString("and with `--strict` to the same: the repair touches no statement.\n")
			default:
				fmt.Fprintf(&b, "and with `--strict` to\n\n```\n%s```\n", Shown(e.Strict))
			}
		}
	}
	b.WriteString("\n## Only where they are asked for\n")
	for _, mended := range fault.AskedRepairs() {
		fmt.Fprintf(&b, "\n### `%s`\n\n%s\n", mended.Code, fill(mended.Done+" *Why only then:* "+mended.Why))
		for _, e := range mended.Examples {
			fmt.Fprintf(&b, "\n%s:\n\n```\n%s```\n\nwashes to\n\n```\n%s```\n", e.Format, Shown(e.Before), Shown(e.After))
		}
	}
	b.WriteString("\n## In tables and trees\n\nThe documents become records, which are shown as lines of JSON.\n")
	for _, mended := range fault.RecordRepairs() {
		fmt.Fprintf(&b, "\n### `%s`\n\n%s\n", mended.Code, fill(mended.Done+" *Why it is plain:* "+mended.Why))
		for _, e := range mended.Examples {
			fmt.Fprintf(&b, "\n%s:\n\n```\n%s```\n\nbecomes\n\n```\n%s```\n", e.Format, Shown(e.Before), Shown(e.After))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// pageColumns is how wide a paragraph of a page is.
const pageColumns = 120

// fill breaks a paragraph into lines. No line begins with a word that Markdown would take for the mark of a list,
// a heading or a quotation.
func fill(paragraph string) string {
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(paragraph) {
		width := utf8.RuneCountInString(word)
		isMark := strings.Trim(word, "0123456789.)#>+-*=|") == "" || strings.HasPrefix(word, "<!--")
		switch {
		case i == 0:
		case column+1+width > pageColumns && !isMark:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += width
	}
	return b.String()
}

// Shown is the text of an example with a line end after it, and what can't be shown
// as \xHH or \uHHHH.
func Shown(text string) string {
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
