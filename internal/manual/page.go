// Package manual makes manual pages of commands. They say what --help says.
package manual

import (
	"strings"

	"github.com/spf13/cobra"
)

// EachPage calls do for a command and all below it that have a page: topics are sections of the first.
func EachPage(c *cobra.Command, do func(*cobra.Command) error) error {
	if err := do(c); err != nil {
		return err
	}
	for _, sub := range c.Commands() {
		if sub.Hidden || sub.IsAdditionalHelpTopicCommand() || sub.Name() == "help" {
			continue
		}
		if err := EachPage(sub, do); err != nil {
			return err
		}
	}
	return nil
}

// Name is the name of the page of a command.
func Name(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// Page is the page of a command, in the macros of man(7). Its foot names the release, its head the book.
func Page(c *cobra.Command, release, book string) string {
	c.InitDefaultHelpFlag()
	var page roff
	page.macro("TH", strings.ToUpper(Name(c)), "1", "", release, book)
	page.section("NAME")
	page.text(Name(c) + ` \- ` + roffText(c.Short))
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
		names = append(names, roffText(Name(c.Parent()))+"(1)")
	}
	for _, sub := range verbs {
		if sub.Name() != "help" {
			names = append(names, roffText(Name(sub))+"(1)")
		}
	}
	return names
}
