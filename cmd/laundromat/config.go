package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"laundromat/internal/outfile"
	"laundromat/internal/settings"
	"laundromat/seedlist"
)

// configCommand shows, checks and begins files of settings.
func configCommand(u *ui) *cobra.Command {
	return group("config", "Settings: those in force, a file checked, a file to begin with", "show, check or init",
		configShow(u), configCheck(u), configInit(u))
}

// settled is the name of a verb whose flags another verb has too, for the settings.
const settled = "settings of"

func configShow(u *ui) *cobra.Command {
	var o serveOptions
	var markdown bool
	c := &cobra.Command{
		Use:   "show [VERB]",
		Short: "The settings in force, and where each comes from",
		Long: "Show prints each setting of serve, or of another VERB, its value, and its origin: a line of a file, a\n" +
			"variable of the environment, a flag, or the default. It takes the flags of serve. With --json each is an object.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if markdown {
				_, serve, err := freshVerb(u, "serve")
				if err != nil {
					return err
				}
				_, err = fmt.Fprint(u.out, settings.Markdown(serve.Flags()))
				return err
			}
			if len(args) == 0 || args[0] == "serve" {
				return showSettings(u, c.Flags())
			}
			if !slices.Contains(settings.Verbs(), args[0]) {
				return usage("%q is no verb with settings%s", args[0], didYouMean(args[0], settings.Verbs()...))
			}
			_, fresh, err := freshVerb(u, args[0])
			if err != nil {
				return err
			}
			if err := fillSettings(u, fresh); err != nil {
				return err
			}
			return showSettings(u, fresh.Flags())
		},
		Annotations: map[string]string{settled: "serve"},
	}
	o.add(u, c)
	c.Flags().BoolVar(&markdown, "markdown", false, "write the page of the documentation that explains every setting")
	return c
}

// freshVerb is a verb whose flags, with those of all verbs, have their defaults, and the file of u. It comes with the
// ui that its options are in.
func freshVerb(u *ui, name string) (*ui, *cobra.Command, error) {
	other := &ui{in: u.in, out: u.out, err: u.err, stopping: u.stopping, killed: u.killed}
	root := rootCommand(other)
	root.PersistentFlags().Set("config", u.config)
	c, _, err := root.Find(strings.Fields(name)) // such as "catalog harvest"
	if err == nil {
		c.InheritedFlags() // adds those of all verbs
	}
	return other, c, err
}

// settingShown is a line of "config show".
type settingShown struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Whence string `json:"whence"`
}

// showSettings prints the settings among flags, in the order of the table.
func showSettings(u *ui, flags *pflag.FlagSet) error {
	var all []settingShown
	for _, s := range settings.Table {
		if f := flags.Lookup(s.Name); f != nil {
			value := f.Value.String()
			if s.Name == "data" {
				value = u.dataDir()
			}
			all = append(all, settingShown{s.Name, seedlist.ShownIn(value), settings.Whence(f)})
		}
	}
	if u.json {
		for _, one := range all {
			if err := encodeTo(u.out, one); err != nil {
				return err
			}
		}
		return nil
	}
	widest := [2]int{}
	for _, one := range all {
		widest = [2]int{max(widest[0], len(one.Name)), min(50, max(widest[1], len(one.Value)))}
	}
	for _, one := range all {
		if _, err := fmt.Fprintf(u.out, "%-*s  %-*s  %s\n", widest[0], one.Name, widest[1], one.Value, one.Whence); err != nil {
			return err
		}
	}
	return nil
}

func configCheck(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "check [FILE]",
		Short: "Check a file of settings; nothing is started",
		Long: "Check reads FILE, or the file that is in force, and prints each fault with its line: an unknown key with the\n" +
			"nearest known one, a value that can't be, settings that contradict each other.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			name := settings.Find(u.config, u.dataDir(), os.LookupEnv)
			if len(args) > 0 {
				name = args[0]
			}
			if name == "" {
				return usage("there is no file of settings: name one, or make one with \"laundromat config init FILE\"")
			}
			if err := checkSettings(u, name); err != nil {
				return usage("%w", err)
			}
			u.note("%s: no fault", name)
			return nil
		},
	}
}

// checkSettings checks a file for each verb, without flags and environment.
func checkSettings(u *ui, name string) error {
	file, err := settings.Read(name)
	if file == nil {
		return err
	}
	var wrong []error
	seen := map[string]bool{}
	note := func(err error) {
		if err == nil {
			return
		}
		for line := range strings.SplitSeq(err.Error(), "\n") {
			if !seen[line] {
				seen[line] = true
				wrong = append(wrong, errors.New(line))
			}
		}
	}
	note(err)
	var completeServe func() error
	for _, verb := range settings.Verbs() {
		other, fresh, err := freshVerb(u, verb)
		if err != nil {
			return err
		}
		if verb == "serve" {
			completeServe = func() error { return other.serve.complete(other, fresh.Flags()) }
		}
		note(settings.Fill(fresh.Flags(), verb, file, func(string) (string, bool) { return "", false }))
	}
	if wrong != nil {
		return errors.Join(wrong...)
	}
	return completeServe()
}

func configInit(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write a file of settings to begin with",
		Long: "Init writes all settings of serve with their defaults and explanations, each as a comment, on standard output or\n" +
			"into FILE, which must not exist.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			_, serve, err := freshVerb(u, "serve")
			if err != nil {
				return err
			}
			text := settings.Begin(serve.Flags())
			if len(args) == 0 {
				_, err := fmt.Fprint(u.out, text)
				return err
			}
			if _, err := os.Lstat(args[0]); !errors.Is(err, fs.ErrNotExist) {
				return usage("%s is there already", args[0])
			}
			out, err := outfile.Create(args[0])
			if err != nil {
				return err
			}
			if _, err := fmt.Fprint(out, text); err != nil {
				return err
			}
			return out.Close()
		},
	}
}

// withoutSettings are verbs that need none.
var withoutSettings = []string{"version", "man", "help", "completion", "explain", "config check", "config init"}

// fillSettings gives the flags of a verb what the environment and the file of settings say.
func fillSettings(u *ui, c *cobra.Command) error {
	verb := strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ")
	for _, without := range withoutSettings {
		if verb == without || strings.HasPrefix(verb, without+" ") {
			return nil
		}
	}
	if as := c.Annotations[settled]; as != "" {
		verb = as
	}
	name := settings.Find(u.config, u.dataDir(), os.LookupEnv)
	file, err := settings.Read(name)
	if file != nil {
		if name == filepath.Join(u.dataDir(), "config.yaml") {
			err = errors.Join(err, file.Without("data", "a file in the data folder is found by that setting"))
		}
		err = errors.Join(err, settings.Fill(c.Flags(), verb, file, os.LookupEnv))
	}
	if err != nil {
		return usage("%w", err)
	}
	return nil
}

// noteStrays says which variables of the environment are perhaps misspelt.
func noteStrays(u *ui) {
	for _, stray := range settings.Strays(os.Environ()) {
		u.note("%s", stray)
	}
}
