package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/docker/go-units"
	"github.com/spf13/cobra"

	"laundromat/seedlist"
)

// rootCommand is the table of verbs.
func rootCommand(u *ui) *cobra.Command {
	root := &cobra.Command{
		Use:   "laundromat",
		Short: "Wash dirty linked data into clean N-Quads",
		Long: "Laundromat downloads, unpacks, recodes, recognises and parses linked data, and writes\n" +
			"clean, sorted, unique, canonical N-Quads, with every fault counted and shown in its place.",
		Version:       version().String(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          knownVerb,
		RunE: func(c *cobra.Command, _ []string) error {
			if u.init {
				return initStore(u, u.dataDir())
			}
			return c.Help()
		},
	}
	root.SetVersionTemplate(versionText("{{.Version}}"))
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return misusedFlag(c, err)
	})
	flags := root.PersistentFlags()
	data := os.Getenv("LAUNDROMAT_DATA")
	flags.StringVar(&u.data, "data", data, "folder of the seed list and files (default $LAUNDROMAT_DATA, else ./laundromat-data)")
	flags.Lookup("data").DefValue = "" // the page of settings is the same wherever it is made
	flags.StringVar(&u.config, "config", "", "FILE of settings (default $LAUNDROMAT_CONFIG, else config.yaml in the data folder, else "+
		"/etc/laundromat/config.yaml)")
	flags.BoolVar(&u.init, "init", false, "make the folder of the seed list, if there is none")
	flags.BoolVar(&u.json, "json", false, "write JSON: lists as JSON lines, single things as one object")
	flags.BoolVarP(&u.quiet, "quiet", "q", false, "only errors on stderr")
	flags.BoolVarP(&u.verbose, "verbose", "v", false, "more on stderr")
	flags.StringVar(&u.logFormat, "log-format", "auto", "format of log lines: auto, text or json")
	flags.StringVar(&u.profiles.CPU, "cpuprofile", "", "write a CPU profile to this FILE, for go tool pprof")
	flags.StringVar(&u.profiles.Memory, "memprofile", "", "write a profile of the memory allocated to this FILE")
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		if err := checkFlags(c); err != nil {
			return err
		}
		if err := fillSettings(u, c); err != nil {
			return err
		}
		if err := u.profiles.Start(); err != nil {
			return fmt.Errorf("--cpuprofile: %w", err)
		}
		return nil
	}

	root.AddCommand(
		washCommand(u),
		checkCommand(u),
		serveCommand(u),
		seedCommand(u),
		catalogCommand(u),
		recipeCommand(u),
		hostCommand(u),
		actionCommand(u),
		tokenCommand(u),
		showCommand(u),
		whyCommand(u),
		noticesCommand(u),
		explainCommand(u),
		configCommand(u),
		statsCommand(u),
		datasetsCommand(u),
		findCommand(u),
		statementsCommand(u),
		getCommand(u),
		exportCommand(u),
		diffCommand(u),
		uniqueCommand(u),
		parquetCommand(u),
		pagesCommand(u),
		recordsCommand(u),
		textCommand(u),
		verifyCommand(u),
		storeCommand(u),
		backupCommand(u),
		restoreCommand(u),
		salvageCommand(u),
		gcCommand(u),
		pauseCommand(u),
		resumeCommand(u),
		drainCommand(u),
		compactCommand(u),
		versionCommand(u),
		manCommand(u),
	)
	root.AddCommand(helpTopics()...)
	root.SetHelpCommand(helpCommand())
	for _, c := range root.Commands() {
		misuseIsUsage(c)
		knowsVersion(c, root.Version)
	}
	return root
}

// knowsVersion lets a verb, and the verbs below it, have the flag --version.
func knowsVersion(c *cobra.Command, version string) {
	c.Version = version
	c.SetVersionTemplate(versionText("{{.Version}}"))
	for _, below := range c.Commands() {
		knowsVersion(below, version)
	}
}

// knownVerb refuses what is no verb; without it, the library ends with an error of
// its own, which is no usage error to us.
func knownVerb(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if isFileHere(args[0]) || strings.Contains(args[0], "://") {
		return usage("%s isn't a verb; did you mean \"laundromat wash %[1]s\", which washes it? (see \"laundromat --help\")",
			seedlist.Shown(args[0]))
	}
	return unknownVerb(c, args[0])
}

// group is a verb that is nothing without one of the verbs under it; wants names them.
func group(use, short, wants string, verbs ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use:   use,
		Short: short,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownVerb(c, args[0])
			}
			return usage("%s wants %s", use, wants)
		},
	}
	c.AddCommand(verbs...)
	return c
}

// misuseIsUsage makes wrong arguments end with the exit code of usage errors.
func misuseIsUsage(c *cobra.Command) {
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			if err := check(c, args); err != nil {
				return usage("%w (see \"%s --help\")", err, c.CommandPath())
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		misuseIsUsage(sub)
	}
}

// sizeValue is a flag that holds a number of bytes, such as 512M or 1.5GiB; K, M,
// G and T are powers of 1,024.
type sizeValue struct{ bytes *int64 }

func (s sizeValue) Set(text string) error {
	n, err := units.RAMInBytes(text)
	if err != nil || n < 0 {
		return errors.New("not a size (examples: 512M, 2G)")
	}
	*s.bytes = n
	return nil
}

func (s sizeValue) String() string {
	if s.bytes == nil {
		return ""
	}
	return units.CustomSize("%.4g%s", float64(*s.bytes), 1024, []string{"", "K", "M", "G", "T"})
}

func (s sizeValue) Type() string { return "SIZE" }
