package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"laundromat/internal/fault"
	"laundromat/internal/settings"
	"laundromat/internal/spelling"
	"laundromat/rdf/format"
	"laundromat/seedlist"
	"laundromat/states/kind"
)

// didYouMean names what is spelt most like name, as the end of a message; "" if nothing is like it.
func didYouMean(name string, known ...string) string {
	if near := spelling.Nearest(strings.TrimSpace(name), known...); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// formatNames are the formats that people may mean, by the names under which they are shown.
var formatNames = []string{
	"HTML", "JSON-LD", "N-Quads", "N-Triples", "N3", "RDF/JSON", "RDF/XML", "RDFa", "TriG", "TriX", "Turtle",
}

// listedFormats are the formats that lists know: pages are found by what is in them, too, and other documents by what
// records and articles are made of, or by what they were found to be.
var listedFormats = slices.Compact(slices.Concat(formatNames, []string{format.SourceMicrodata, format.SourceMicroformats},
	kind.Others()))

func stateNames() (names []string) {
	for _, state := range seedlist.States() {
		names = append(names, string(state))
	}
	return names
}

func codeNames() (names []string) {
	for _, info := range fault.Codes() {
		names = append(names, string(info.Code))
	}
	return names
}

// misusedFlag explains what the library says of the flags of c.
func misusedFlag(c *cobra.Command, err error) error {
	return usage("%w%s (see \"%s --help\")", err, flagMeant(c, err.Error()), c.CommandPath())
}

// flagMeant says what was meant by a flag that is unknown, or by a duration without a unit.
func flagMeant(c *cobra.Command, message string) string {
	if rest, invalid := strings.CutPrefix(message, "invalid argument \""); invalid && strings.Contains(message, "missing unit") {
		number, _, _ := strings.Cut(rest, "\"")
		return "; did you mean " + number + "s, or another unit: ms, m, h?"
	}
	name, unknown := strings.CutPrefix(message, "unknown flag: --")
	if !unknown {
		return ""
	}
	var known []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, f.Name)
		}
	})
	if near := spelling.Nearest(name, known...); near != "" {
		return "; did you mean --" + near + "?"
	}
	return ""
}

// maybeNegative marks a flag of which a number below 0 means something.
func maybeNegative(flags *pflag.FlagSet, name string) {
	if err := flags.SetAnnotation(name, negativeNote, nil); err != nil {
		panic(err) // no such flag: a slip of ours
	}
}

const negativeNote = "may be below 0"

// checkFlags refuses what the flags of no verb may be: numbers below 0, and those without effect.
func checkFlags(c *cobra.Command) (wrong error) {
	path := strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ")
	c.Flags().Visit(func(f *pflag.Flag) {
		if wrong != nil {
			return
		}
		_, allowed := f.Annotations[negativeNote]
		switch f.Value.Type() {
		case "int", "int64", "float64":
			if !allowed && strings.HasPrefix(f.Value.String(), "-") {
				wrong = usage("--%s is a number from 0, not %s (see \"%s --help\")", f.Name, f.Value, c.CommandPath())
			}
		case "duration":
			if d, err := time.ParseDuration(f.Value.String()); !allowed && err == nil && d < 0 {
				wrong = usage("--%s is a time from 0, not %s (see \"%s --help\")", f.Name, f.Value, c.CommandPath())
			}
		}
		if instead, idle := withoutEffect[path][f.Name]; idle && wrong == nil {
			wrong = usage("--%s has no effect on %s%s", f.Name, path, instead)
		}
	})
	return wrong
}

// withoutEffect are flags of all verbs that say nothing to some, and what to do instead.
var withoutEffect = map[string]map[string]string{
	"wash": {
		"json": ": --report FILE writes its findings as JSON", "log-format": ": it has no log",
		"data": ": it needs no store", "init": ": it needs no store",
	},
	"check":   {"log-format": ": it has no log", "data": ": it needs no store", "init": ": it needs no store"},
	"explain": {"log-format": ": it has no log", "data": ": it needs no store", "init": ": it needs no store"},
	"pages":   {"json": "", "data": ": it needs no store", "init": ": it needs no store"},
	"serve":   {"json": ": --log-format json writes its log as JSON"},
	"get":     {"json": ": it writes a file as it is", "log-format": ": it has no log"},
	"man":     {"json": "", "log-format": "", "data": ": it needs no store", "init": ": it needs no store"},
	"version": {"log-format": "", "data": ": it needs no store", "init": ": it needs no store"},
}

// refuseIdle refuses flags that were given, though there is nothing for them to act on, as why says.
func refuseIdle(c *cobra.Command, why string, names ...string) error {
	var given []string
	for _, name := range names {
		if settings.IsTyped(c.Flags().Lookup(name)) {
			given = append(given, "--"+name)
		}
	}
	if given == nil {
		return nil
	}
	verb := "has"
	if len(given) > 1 {
		verb = "have"
	}
	return usage("%s %s no effect %s", strings.Join(given, ", "), verb, why)
}

// oneOf refuses a value of a flag that is none of those known.
func oneOf(flag, value string, known ...string) error {
	for _, one := range known {
		if one == value {
			return nil
		}
	}
	list := strings.Join(known[:len(known)-1], ", ") + " or " + known[len(known)-1]
	return usage("--%s is %s, not %q%s", flag, list, value, didYouMean(value, known...))
}

// unknownVerb says of a name that is no verb of c which it may have been meant for.
func unknownVerb(c *cobra.Command, name string) error {
	var known []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			known = append(known, sub.Name())
			known = append(known, sub.Aliases...)
		}
	}
	message := fmt.Sprintf("there is no verb %q", name)
	if c.HasParent() {
		message += " under " + c.Name()
	}
	return usage("%s%s (see \"%s --help\")", message, didYouMean(name, known...), c.CommandPath())
}
