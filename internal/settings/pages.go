package settings

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// Begin is a file with every setting among flags as a comment, with its default.
func Begin(flags *pflag.FlagSet) string {
	var b strings.Builder
	b.WriteString("# Settings of Laundromat. A key is the name of a flag; flags and the environment (LAUNDROMAT_HOST_DELAY for\n" +
		"# host-delay) come before this file. \"laundromat config show\" prints the settings in force.\n" +
		"# A section such as \"wash:\" holds settings of that verb alone.\n")
	for _, group := range Groups() {
		fmt.Fprintf(&b, "\n# == %s ==\n", group)
		each(flags, group, func(s *Setting, f *pflag.Flag) {
			_, usage := pflag.UnquoteUsage(f)
			fmt.Fprintf(&b, "\n# %s\n#%s: %s\n", oneLine(usage), s.Name, inYAML(f))
		})
	}
	return b.String()
}

// pageHead begins the page of the documentation.
const pageHead = `# Settings

Made by ` + "`go run ./cmd/laundromat config show --markdown > docs/settings.md`" + `; do not edit.

A setting is given as a flag (` + "`--host-delay 7s`" + `), in the environment (` + "`LAUNDROMAT_HOST_DELAY=7s`" + `), or in a file of YAML
(` + "`host-delay: 7s`" + `). A flag comes before the environment, and that before the file. Every verb reads them.

The file is the one of ` + "`--config FILE`" + `, else of ` + "`$LAUNDROMAT_CONFIG`" + `, else ` + "`config.yaml`" + ` in the data folder, else
` + "`/etc/laundromat/config.yaml`" + `. One file is read, never two. In it a key is the name of a flag; a list is written
` + "`[a, b]`" + `. In the environment a list is written ` + "`a,b`" + `; seeds, catalogs, contexts and commands have one line each. A section holds
the settings of one verb, which come before those outside it:

    host-delay: 7s
    memory: 4G
    wash:
      memory: 512M

` + "`workers`, `seeds`, `interval`, `keep-versions`, `keep-versions-for`, `keep-dirty`, `keep-notices` and `keep-attempts`" + ` outside a
section are those of ` + "`serve`" + ` alone, since other verbs have flags of these names that mean something else.

    laundromat config init > config.yaml    # all settings with their defaults, as comments
    laundromat config check config.yaml     # each fault with its line; exit 2 if there is one
    laundromat config show                  # the settings in force, each with its origin: c.yaml:1, LAUNDROMAT_TRIES, --tries, default
    laundromat config show wash             # those of another verb

All faults are reported before anything starts, and end the program with exit 2: an unknown key (with the nearest known
one), a value below the least, more memory than the machine or its container has, settings that contradict each other.

## While the daemon runs

At SIGHUP (` + "`systemctl reload laundromat`" + `) the daemon reads the file again, and opens its log anew. It takes on the settings
marked *yes* below, and reads the files of ` + "`tls-cert` and `tls-key`" + ` again. The log names each setting that it took on, and
those that changed but need a restart. If the file has a fault, all settings stay as they were.

## The settings
`

// Markdown is the page of the documentation on all settings among flags.
func Markdown(flags *pflag.FlagSet) string {
	var b strings.Builder
	b.WriteString(pageHead)
	for _, group := range Groups() {
		fmt.Fprintf(&b, "\n### %s\n\n| setting | default | while running | meaning |\n|---|---|---|---|\n", group)
		each(flags, group, func(s *Setting, f *pflag.Flag) {
			live := ""
			if s.Live {
				live = "yes"
			}
			value := f.DefValue
			if value == "[]" {
				value = ""
			}
			if value != "" {
				value = "`" + value + "`"
			}
			_, usage := pflag.UnquoteUsage(f)
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", s.Name, value, live, strings.ReplaceAll(oneLine(usage), "|", "\\|"))
		})
	}
	return b.String()
}

// Usage is the help on flags in groups. What is no setting comes first.
func Usage(flags *pflag.FlagSet, width int) string {
	var b strings.Builder
	rest := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.VisitAll(func(f *pflag.Flag) {
		if Named(f.Name) == nil {
			rest.AddFlag(f)
		}
	})
	write := func(title string, set *pflag.FlagSet) {
		if set.HasAvailableFlags() {
			fmt.Fprintf(&b, "%s:\n%s\n", title, strings.TrimRight(set.FlagUsagesWrapped(width), "\n")+"\n")
		}
	}
	for _, group := range Groups() {
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		set.SortFlags = false
		each(flags, group, func(_ *Setting, f *pflag.Flag) { set.AddFlag(f) })
		write(string(group), set)
	}
	write("Other flags", rest)
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// each calls do for the settings of a group among flags, in the order of the table.
func each(flags *pflag.FlagSet, group Group, do func(*Setting, *pflag.Flag)) {
	for i := range Table {
		if s := &Table[i]; s.Group == group {
			if f := flags.Lookup(s.Name); f != nil {
				do(s, f)
			}
		}
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// inYAML is the default of a flag in a file.
func inYAML(f *pflag.Flag) string {
	if f.DefValue == "" {
		return `""`
	}
	return f.DefValue
}
