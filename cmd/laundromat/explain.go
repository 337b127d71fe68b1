package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"laundromat/internal/fault"
)

func (p *program) explainCommand() *cobra.Command {
	return &cobra.Command{
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
			if len(args) == 0 {
				return p.listCodes()
			}
			return p.explain(fault.Code(args[0]))
		},
	}
}

func (p *program) explain(code fault.Code) error {
	info, ok := fault.Explain(code)
	if !ok {
		return usage("there is no code %q%s", code, nearCodes(code))
	}
	if p.json {
		return encodeTo(p.out, info)
	}
	severity := "error"
	if info.Severity != 0 {
		severity = info.Severity.String()
	}
	_, err := fmt.Fprintf(p.out, "%s (%s): %s\n\n%s\n\nTo mend it: %s\n", info.Code, severity, info.Title, wrap(info.Explain), wrap(info.Mend))
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
		severity := "error"
		if info.Severity != 0 {
			severity = info.Severity.String()
		}
		if _, err := fmt.Fprintf(p.out, "%-34s %-8s %s\n", info.Code, severity, info.Title); err != nil {
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
