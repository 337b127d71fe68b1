package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"laundromat/rdf/clean"
	"laundromat/rdf/format"
	"laundromat/seedlist"
)

// versionCommand says which version this is; --version says it as text, too.
func versionCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "The version of this program, and of the registries in it",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if u.json {
				return encodeTo(u.out, map[string]string{
					"version": version().release, "revision": version().revision,
					"language_subtags": clean.TagsDate, "uri_schemes": clean.SchemesDate,
				})
			}
			_, err := fmt.Fprint(u.out, versionText(version().String()))
			return err
		},
	}
}

func versionText(of string) string {
	return "laundromat version " + of + "\n" +
		"IANA language subtag registry of " + clean.TagsDate + ", registry of URI schemes of " + clean.SchemesDate + "\n"
}

// helpTopics are pages of help that are about no verb: "laundromat help states".
func helpTopics() []*cobra.Command {
	return []*cobra.Command{
		{Use: "states", Short: "The states of a seed", Long: statesHelp()},
		{Use: "exit-codes", Short: "The exit codes", Long: exitCodesHelp},
		{Use: "formats", Short: "The formats that are read, and their other names", Long: formatsHelp()},
	}
}

// helpCommand is "laundromat help [VERB|TOPIC]"; the library's own ends well for names that it does not know.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB|TOPIC]",
		Short: "Help on a verb or a topic: states, exit-codes, formats",
		RunE: func(c *cobra.Command, args []string) error {
			found := c.Root()
			for _, name := range args {
				var next *cobra.Command
				for _, sub := range found.Commands() {
					if sub.Name() == name || sub.HasAlias(name) {
						next = sub
					}
				}
				if next == nil {
					return unknownTopic(found, name)
				}
				found = next
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
		ValidArgsFunction: func(c *cobra.Command, _ []string, _ string) (names []string, _ cobra.ShellCompDirective) {
			for _, sub := range c.Root().Commands() {
				if !sub.Hidden {
					names = append(names, sub.Name()+"\t"+sub.Short)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

func unknownTopic(under *cobra.Command, name string) error {
	var known []string
	for _, sub := range under.Commands() {
		known = append(known, sub.Name())
	}
	return usage("there is no help on %q%s (see \"laundromat help\")", name, didYouMean(name, known...))
}

func statesHelp() string {
	var b strings.Builder
	b.WriteString("A seed is a URI, an entry of an archive, or a clean file. Its state says how far it has come. JSON and flags name\n" +
		"states as in the first column, tables as in the second:\n\n")
	for _, state := range seedlist.States() {
		fmt.Fprintf(&b, "  %-12s %-25s %s\n", state, state.Words(), state.Meaning())
	}
	b.WriteString("\n\"laundromat seed list --state STATE\" lists the seeds of a state, \"laundromat stats\" counts them.\n\n" +
		"A seed that rests (parsed, depleted, failed) begins again when its interval has passed (added), by \"seed retry\" (added, or the\n" +
		"stage that failed), by \"seed rewash\" (filed), or by \"verify --repair\" (filed if the stored bytes are whole, else added).\n" +
		"An entry begins again with its archive (filed).\n\n" +
		"Other words of this program:\n\n")
	for _, entry := range glossary {
		fmt.Fprintf(&b, "  %-12s %s\n", entry[0], entry[1])
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// glossary are words of this program that tables, messages and records use.
var glossary = [][2]string{
	{"seed", "one URI, one entry of an archive, or one clean file; each has a record"},
	{"hash", "the key of a seed: MD5 of its URI in normal form; 6 digits or more name it"},
	{"dirty", "of bytes and documents: as they came"},
	{"clean", "of a file: sorted, unique, canonical N-Quads"},
	{"notice", "a finding in the data, with a code and a place; it never stops the work"},
	{"error", "why the work on a seed stopped; its kind says whether it is tried again"},
	{"tries", "how often the present stage was tried; only the other side's trouble counts"},
	{"due", "when a seed is worked on next, or fetched again"},
	{"relative", "a URI without a scheme: kept to be counted, never fetched"},
	{"fragment", "a URI that names a thing in a document: its document is washed, once"},
}

const exitCodesHelp = `  0    all is well
  1    a document ended in an error, a file is missing, or something else went wrong
  2    the command makes no sense as it is typed: the message says what was meant
  3    wash and check: something was dropped, and is reported of
  4    no such HASH or URI is in the store
  7    wash and check: nothing at all was RDF
  11   another process holds the store
  130  ended by SIGINT (Ctrl-C)
  143  ended by SIGTERM

Of several documents, wash and check exit with the worst; verify ends with 1 if something is damaged or missing.`

func formatsHelp() string {
	var b strings.Builder
	b.WriteString("The formats that are read, each with its media type:\n\n")
	for _, name := range formatNames {
		if f, err := format.Named(name); err == nil {
			fmt.Fprintf(&b, "  %-10s %s\n", name, f.MediaType())
		}
	}
	b.WriteString("\nYou need not name one: it is detected from the content. --format takes a name in any case, a media type or an " +
		"extension.")
	return b.String()
}
