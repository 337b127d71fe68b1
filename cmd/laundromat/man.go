package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manCommand writes the manual pages. They are made of what --help shows, so that both say the same.
func manCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write manual pages of every verb into a folder, for man",
		Long: "Man writes a page for the program and one for each verb into DIR, which is made if need be:\n" +
			"laundromat.1, laundromat-wash.1, laundromat-seed-add.1 and so on. \"man -l DIR/laundromat.1\" shows one;\n" +
			"in a folder named man1 below one of MANPATH they are found by name.",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return err
			}
			n := 0
			err := eachPage(c.Root(), func(page *cobra.Command) error {
				n++
				return os.WriteFile(filepath.Join(args[0], pageName(page)+".1"), []byte(manualPage(page)), 0o666)
			})
			if err == nil {
				u.note("%d pages are in %s", n, args[0])
			}
			return err
		},
	}
}

// eachPage calls do for a command and all below it that have a page: topics are sections of the first.
func eachPage(c *cobra.Command, do func(*cobra.Command) error) error {
	if err := do(c); err != nil {
		return err
	}
	for _, sub := range c.Commands() {
		if sub.Hidden || sub.IsAdditionalHelpTopicCommand() || sub.Name() == "help" {
			continue
		}
		if err := eachPage(sub, do); err != nil {
			return err
		}
	}
	return nil
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manualPage is the page of a command, in the macros of man(7).
func manualPage(c *cobra.Command) string {
	c.InitDefaultHelpFlag()
	var page roff
	page.macro("TH", strings.ToUpper(pageName(c)), "1", "", "laundromat "+version().release, "Laundromat")
	page.section("NAME")
	page.text(pageName(c) + ` \- ` + roffText(c.Short))
	page.section("SYNOPSIS")
	page.text(`\fB` + roffText(c.CommandPath()) + `\fR` + roffText(strings.TrimPrefix(c.UseLine(), c.CommandPath())))
	page.section("DESCRIPTION")
	long := c.Long
	if long == "" {
		long = c.Short + "."
	}
	page.prose(long)
	var verbs, topics []*cobra.Command
	for _, sub := range c.Commands() {
		switch {
		case sub.IsAdditionalHelpTopicCommand():
			topics = append(topics, sub)
		case !sub.Hidden:
			verbs = append(verbs, sub)
		}
	}
	if len(verbs) > 0 {
		page.section("COMMANDS")
		for _, sub := range verbs {
			page.item(`\fB`+roffText(sub.Name())+`\fR`, sub.Short)
		}
	}
	page.flags("OPTIONS", c.NonInheritedFlags())
	page.flags("OPTIONS OF ALL COMMANDS", c.InheritedFlags())
	for _, topic := range topics {
		page.section(strings.ToUpper(strings.ReplaceAll(topic.Name(), "-", " ")))
		page.prose(topic.Long)
	}
	page.section("SEE ALSO")
	page.text(strings.Join(seeAlso(c, verbs), ", "))
	return page.String()
}

// seeAlso are the pages above and below that of c.
func seeAlso(c *cobra.Command, verbs []*cobra.Command) (names []string) {
	if c.HasParent() {
		names = append(names, roffText(pageName(c.Parent()))+"(1)")
	}
	for _, sub := range verbs {
		if sub.Name() != "help" {
			names = append(names, roffText(pageName(sub))+"(1)")
		}
	}
	return names
}

// roff is text in the macros of man(7). What is passed as text is that already, unless it is said to be plain.
type roff struct{ strings.Builder }

func (r *roff) macro(name string, args ...string) {
	r.WriteString("." + name)
	for _, arg := range args {
		r.WriteString(` "` + strings.ReplaceAll(roffText(arg), `"`, `\(dq`) + `"`)
	}
	r.WriteByte('\n')
}

func (r *roff) section(name string) { r.macro("SH", name) }

func (r *roff) text(line string) { r.WriteString(line + "\n") }

// item is a term with its plain explanation.
func (r *roff) item(term, plain string) {
	r.text(".TP")
	r.text(term)
	r.text(roffText(plain))
}

// prose writes plain paragraphs. Lines that begin with spaces stay as they are.
func (r *roff) prose(plain string) {
	isTable := false
	for line := range strings.Lines(plain) {
		line = strings.TrimSuffix(line, "\n")
		indented := strings.HasPrefix(line, "  ")
		if indented != isTable && line != "" {
			isTable = indented
			r.text(map[bool]string{true: ".nf", false: ".fi"}[isTable])
		}
		if line == "" {
			r.text(".PP")
		} else {
			r.text(roffText(line))
		}
	}
	if isTable {
		r.text(".fi")
	}
}

// flags writes a section on flags, as --help shows them.
func (r *roff) flags(title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	r.section(title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		term := `\fB\-\-` + roffText(f.Name) + `\fR`
		if f.Shorthand != "" {
			term = `\fB\-` + f.Shorthand + `\fR, ` + term
		}
		value, usage := pflag.UnquoteUsage(f)
		if value != "" {
			term += ` \fI` + roffText(value) + `\fR`
		}
		if _, isSet := map[string]bool{"": true, "0": true, "false": true, "[]": true, "0s": true}[f.DefValue]; !isSet {
			usage += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		r.item(term, usage)
	})
}

// roffText writes plain text so that no sign of it is a command.
func roffText(plain string) string {
	var b strings.Builder
	for i, c := range plain {
		switch {
		case c == '\\':
			b.WriteString(`\e`)
		case c == '-':
			b.WriteString(`\-`)
		case i == 0 && (c == '.' || c == '\''):
			b.WriteString(`\&` + string(c))
		case c >= 0x80:
			fmt.Fprintf(&b, `\[u%04X]`, c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}
