package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"laundromat/internal/fault"
)

func (p *program) explainCommand() *cobra.Command {
	var markdown bool
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
			case markdown:
				return writeCodes(p.out)
			case len(args) == 0:
				return p.listCodes()
			}
			return p.explain(fault.Code(args[0]))
		},
	}
	c.Flags().BoolVar(&markdown, "markdown", false, "write the page of the documentation that explains every code")
	return c
}

// writeCodes writes docs/notices.md.
func writeCodes(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# Notice and error codes\n\n" +
		"Made by `go run ./cmd/laundromat explain --markdown > docs/notices.md`; do not edit.\n\n" +
		"A *notice* is a finding in the data. Its severity says what became of the statement: `note` (legal, only\n" +
		"written in canonical form), `warning` (doubtful, kept as it was), `repair` (wrong, kept, changed; `--strict`\n" +
		"drops it), `drop` (lost). An *error* ended the work on a document. Codes are stable for ever.\n")
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
	_, err := fmt.Fprintf(p.out, "%s (%s): %s\n\n%s\n\nTo mend it: %s\n", info.Code, severityOf(info), info.Title, wrap(info.Explain), wrap(info.Mend))
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
