package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/docker/go-units"
	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"laundromat/seedlist"
)

// rootCommand is the table of verbs.
func (p *program) rootCommand() *cobra.Command {
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
			if p.init {
				return p.initStore(p.dataDir())
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
	flags.StringVar(&p.data, "data", data, "folder of the seed list and files (default $LAUNDROMAT_DATA, else ./laundromat-data)")
	flags.BoolVar(&p.init, "init", false, "make the folder of the seed list, if there is none")
	flags.BoolVar(&p.json, "json", false, "write JSON: lists as JSON lines, single things as one object")
	flags.BoolVarP(&p.quiet, "quiet", "q", false, "only errors on stderr")
	flags.BoolVarP(&p.verbose, "verbose", "v", false, "more on stderr")
	flags.StringVar(&p.logFormat, "log-format", "auto", "format of log lines: auto, text or json")
	p.profiles.add(flags)
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		if err := checkFlags(c); err != nil {
			return err
		}
		return p.profiles.start(p.pprof)
	}

	root.AddCommand(
		p.washCommand(),
		p.checkCommand(),
		p.riotCommand(),
		p.rapperCommand(),
		p.serveCommand(),
		p.seedCommand(),
		p.catalogCommand(),
		p.hostCommand(),
		p.actionCommand(),
		p.tokenCommand(),
		p.showCommand(),
		p.whyCommand(),
		p.noticesCommand(),
		p.explainCommand(),
		p.statsCommand(),
		p.datasetsCommand(),
		p.getCommand(),
		p.exportCommand(),
		p.diffCommand(),
		p.uniqueCommand(),
		p.parquetCommand(),
		p.pagesCommand(),
		p.recordsCommand(),
		p.textCommand(),
		p.verifyCommand(),
		p.storeCommand(),
		p.backupCommand(),
		p.restoreCommand(),
		p.salvageCommand(),
		p.gcCommand(),
		p.versionCommand(),
		p.manCommand(),
	)
	root.AddCommand(helpTopics()...)
	root.SetHelpCommand(helpCommand())
	for _, c := range root.Commands() {
		misuseIsUsage(c)
	}
	return root
}

// knownVerb refuses what is no verb; without it, the library ends with an error of
// its own, which is no usage error to us.
func knownVerb(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if isFileHere(args[0]) || strings.Contains(args[0], "://") {
		return usage("%s is no verb; did you mean \"laundromat wash %[1]s\", which washes it? (see \"laundromat --help\")",
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

// dataDir is the folder of the store.
func (p *program) dataDir() string {
	if p.data != "" {
		return p.data
	}
	return "laundromat-data"
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

// isTerminal says that the stream is a terminal that a person looks at.
func isTerminal(stream any) bool {
	f, ok := stream.(interface{ Fd() uintptr })
	return ok && isatty.IsTerminal(f.Fd()) && os.Getenv("TERM") != "dumb"
}

// coloured says that escape sequences for colours are wanted (https://no-color.org).
func coloured(stream any) bool { return isTerminal(stream) && os.Getenv("NO_COLOR") == "" }

// encodeTo writes one value as a line of JSON; URIs stay readable.
func encodeTo(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}
