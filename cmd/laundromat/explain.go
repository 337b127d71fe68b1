package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"laundromat/internal/fault"
	"laundromat/internal/fault/manual"
)

func explainCommand(u *ui) *cobra.Command {
	var markdown, repairs bool
	c := &cobra.Command{
		Use:   "explain [CODE]",
		Short: "Explain a code, and how a publisher mends the data",
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
				return manual.WriteRepairs(u.out)
			case repairs:
				return listRepairs(u)
			case markdown:
				return manual.WriteCodes(u.out)
			case len(args) == 0:
				return listCodes(u)
			}
			return explainCode(u, fault.Code(args[0]))
		},
	}
	c.Flags().BoolVar(&repairs, "repairs", false, "list what is repaired, and why the intention is plain")
	c.Flags().BoolVar(&markdown, "markdown", false, "write the page of the documentation that explains every code, or every repair")
	return c
}

func explainCode(u *ui, code fault.Code) error {
	info, ok := fault.Explain(code)
	if !ok {
		return usage("there is no code %q%s", code, nearCodes(code))
	}
	if u.json {
		return encodeTo(u.out, info)
	}
	repair := ""
	if mended, ok := fault.RepairOf(code); ok {
		repair = wrap("Repaired: "+mended.Done+" "+mended.Why) + "\n\n"
	}
	_, err := fmt.Fprintf(u.out, "%s (%s): %s\n\n%s\n\n%sTo mend it: %s\n", info.Code, manual.SeverityOf(info), info.Title,
		wrap(info.Explain), repair, wrap(info.Mend))
	return err
}

func listCodes(u *ui) error {
	for _, info := range fault.Codes() {
		if u.json {
			if err := encodeTo(u.out, info); err != nil {
				return err
			}
			continue
		}
		if _, err := fmt.Fprintf(u.out, "%-34s %-8s %s\n", info.Code, manual.SeverityOf(info), info.Title); err != nil {
			return err
		}
	}
	return nil
}

func listRepairs(u *ui) error {
	for _, mended := range slices.Concat(fault.Repairs(), fault.AskedRepairs(), fault.RecordRepairs()) {
		if u.json {
			mended.Examples = slices.Clone(mended.Examples)
			for i, e := range mended.Examples {
				if !utf8.ValidString(e.Before) { // JSON can't hold it
					mended.Examples[i].Before = manual.Shown(e.Before)
				}
			}
			if err := encodeTo(u.out, mended); err != nil {
				return err
			}
			continue
		}
		if _, err := fmt.Fprintf(u.out, "%s\n%s\n\n", mended.Code, wrap(mended.Done+" "+mended.Why)); err != nil {
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
	if meant := didYouMean(string(code), codeNames()...); meant != "" {
		return meant
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
