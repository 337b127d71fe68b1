package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"laundromat/seedlist"
	"laundromat/seedlist/urilist"
	"laundromat/states/inputs"
	"laundromat/web"
	"laundromat/web/client"
	"laundromat/web/story"
)

func seedCommand(u *ui) *cobra.Command {
	return group("seed", "Add, list and remove seeds, and wash them again", "add, list, remove, retry, rewash, set, export or import",
		seedAddCommand(u), seedListCommand(u), seedRemoveCommand(u), seedRetryCommand(u), seedRewashCommand(u), seedSetCommand(u),
		seedExportCommand(u), seedImportCommand(u))
}

func seedAddCommand(u *ui) *cobra.Command {
	var entry web.NewSeed
	var interval time.Duration
	var keep int
	var lists []string
	var relative bool
	c := &cobra.Command{
		Use:   "add URI|-…",
		Short: "Add URIs; - reads lines, blank ones and # skipped",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 && len(lists) == 0 {
				return usage("seed add wants a URI, - for standard input, or --seeds FILE (see \"laundromat seed add --help\")")
			}
			if !relative {
				if err := checkTyped(args, meantSeeds); err != nil {
					return err
				}
			}
			for _, list := range lists {
				if info, err := os.Stat(list); list != "-" && (err != nil || info.IsDir()) {
					return usage("--seeds: %s isn't a file that could be read", list)
				}
			}
			if c.Flags().Changed("interval") {
				entry.Interval = ptr(int64(interval / time.Second))
			}
			if c.Flags().Changed("keep-versions") {
				if err := checkKeepVersions(keep); err != nil {
					return err
				}
				entry.KeepVersions = &keep
			}
			return addSeeds(c.Context(), u, entry, args, lists)
		},
	}
	flags := c.Flags()
	flags.IntVar(&entry.Priority, "priority", 0, "larger first")
	maybeNegative(flags, "priority")
	flags.DurationVar(&interval, "interval", 0, "wash again after this time, such as 2400h; 0: never by itself")
	addKeepVersions(flags, &keep, " (default: as serve says)")
	flags.StringVar(&entry.Source, "source", "", "where the URIs come from")
	flags.StringVar(&entry.Title, "title", "", "what people call it")
	flags.StringVar(&entry.Recipe, "recipe", "", "the NAME of the recipe by which it is washed, whatever matches it")
	flags.StringArrayVar(&lists, "seeds", nil, "add the URIs of this FILE (- for standard input), a line each")
	flags.BoolVar(&relative, "relative", false, "record arguments without a scheme as relative URIs, which are never fetched")
	return c
}

// addSeeds adds the URIs of the arguments, then those of the lists.
func addSeeds(ctx context.Context, u *ui, entry web.NewSeed, args, lists []string) error {
	api, err := connect(ctx, u, toChange)
	if err != nil {
		return err
	}
	defer api.Close()
	adder := newSeedAdder(u, api)
	add := func(uri string) error {
		entry.URI = uri
		return adder.Add(ctx, entry)
	}
	for _, arg := range args {
		if arg == "-" {
			err = urilist.Read(u.in, add)
		} else {
			err = add(arg)
		}
		if err != nil {
			return err
		}
	}
	for _, list := range lists {
		if err := readSeedFile(u, list, add); err != nil {
			return err
		}
	}
	if err := adder.Flush(ctx); err != nil {
		return err
	}
	return adder.result()
}

// seedAdder adds seeds, shows what became of each, and counts those that were refused.
type seedAdder struct {
	*client.Adder
	refused int
}

func newSeedAdder(u *ui, api *client.Client) *seedAdder {
	a := &seedAdder{}
	a.Adder = api.Adder(func(added web.Added) error {
		if added.Error != "" {
			a.refused++
		}
		return showAdded(u, added)
	})
	return a
}

// result says whether any were refused.
func (a *seedAdder) result() error {
	if a.refused > 0 {
		return exit(exitFailed, fmt.Errorf("%d refused; all others are added", a.refused))
	}
	return nil
}

func showAdded(u *ui, a web.Added) error {
	if u.json {
		return encodeTo(u.out, a)
	}
	if a.Error != "" {
		_, err := fmt.Fprintf(u.err, "laundromat: refused: %s\n", a.Error)
		return err
	}
	what := "added"
	switch {
	case !a.New:
		what = "known"
	case a.Relative:
		what = "relative"
	}
	_, err := fmt.Fprintf(u.out, "%s\t%s\t%s\n", a.Hash, what, a.URI)
	return err
}

// readSeedFile reads the URIs of a file; "-" is standard input.
func readSeedFile(u *ui, name string, each func(string) error) error {
	if name == "-" {
		return urilist.Read(u.in, each)
	}
	file, err := inputs.OpenFile(u.stopping, name)
	if err != nil {
		return err
	}
	defer file.Close()
	return urilist.Read(file, each)
}

func seedListCommand(u *ui) *cobra.Command {
	var f listFlags
	c := &cobra.Command{
		Use:   "list",
		Short: "List seeds; --json gives whole records",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			api, query, err := connectFiltered(c.Context(), u, toRead, &f)
			if err != nil {
				return err
			}
			defer api.Close()
			out := bufio.NewWriter(u.out)
			defer out.Flush()
			return api.EachSeed(c.Context(), "/seeds", query, f.limit, func(seed seedlist.Seed) error {
				return showSeedLine(u, out, seed)
			})
		},
	}
	f.add(c)
	return c
}

// showSeedLine writes one line about a seed.
func showSeedLine(u *ui, w io.Writer, seed seedlist.Seed) error {
	if u.json {
		return encodeTo(w, seed)
	}
	_, err := fmt.Fprintf(w, "%s\t%s\t%s\n", seed.Hash, story.StateWords(seed), story.NameOf(seed))
	return err
}
