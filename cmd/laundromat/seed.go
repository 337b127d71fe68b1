package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"laundromat/internal/fault"
	"laundromat/rdf/format"
	"laundromat/seedlist"
	"laundromat/seedlist/urilist"
	"laundromat/web"
	"laundromat/web/client"
	"laundromat/web/story"
)

func (p *program) seedCommand() *cobra.Command {
	return group("seed", "Add, list, remove and retry seeds", "add, list, remove or retry",
		p.seedAddCommand(), p.seedListCommand(), p.seedRemoveCommand(), p.seedRetryCommand())
}

func (p *program) seedAddCommand() *cobra.Command {
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
					return usage("--seeds: %s is no file that could be read", list)
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
			return p.addSeeds(c.Context(), entry, args, lists)
		},
	}
	flags := c.Flags()
	flags.IntVar(&entry.Priority, "priority", 0, "larger first")
	maybeNegative(flags, "priority")
	flags.DurationVar(&interval, "interval", 0, "wash again after this time, such as 2400h; 0: never by itself")
	addKeepVersions(flags, &keep, " (default: as serve says)")
	flags.StringVar(&entry.Source, "source", "", "where the URIs come from")
	flags.StringVar(&entry.Title, "title", "", "what people call it")
	flags.StringArrayVar(&lists, "seeds", nil, "add the URIs of this FILE (- for standard input), a line each")
	flags.BoolVar(&relative, "relative", false, "record arguments without a scheme as relative URIs, which are never fetched")
	return c
}

// addBatch is how many URIs go into one request.
const addBatch = 1000

// addSeeds adds the URIs of the arguments, then those of the lists.
func (p *program) addSeeds(ctx context.Context, entry web.NewSeed, args, lists []string) error {
	api, err := p.connect(ctx, toChange)
	if err != nil {
		return err
	}
	defer api.Close()
	refused := 0
	var batch []web.NewSeed
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		var reply web.AddReply
		if err := api.Post(ctx, "/seeds", web.AddRequest{Seeds: batch}, &reply); err != nil {
			return err
		}
		batch = batch[:0]
		for _, added := range reply.Added {
			if added.Error != "" {
				refused++
			}
			if err := p.showAdded(added); err != nil {
				return err
			}
		}
		return nil
	}
	add := func(uri string) error {
		entry.URI = uri
		batch = append(batch, entry)
		if len(batch) < addBatch {
			return nil
		}
		return flush()
	}
	for _, arg := range args {
		if arg == "-" {
			err = urilist.Read(p.in, add)
		} else {
			err = add(arg)
		}
		if err != nil {
			return err
		}
	}
	for _, list := range lists {
		if err := p.readSeedFile(list, add); err != nil {
			return err
		}
	}
	if err := flush(); err != nil {
		return err
	}
	if refused > 0 {
		return exit(exitFailed, fmt.Errorf("%d refused; all others are added", refused))
	}
	return nil
}

func (p *program) showAdded(a web.Added) error {
	if p.json {
		return encodeTo(p.out, a)
	}
	if a.Error != "" {
		_, err := fmt.Fprintf(p.err, "laundromat: refused: %s\n", a.Error)
		return err
	}
	what := "added"
	switch {
	case !a.New:
		what = "known"
	case a.Relative:
		what = "relative"
	}
	_, err := fmt.Fprintf(p.out, "%s\t%s\t%s\n", a.Hash, what, a.URI)
	return err
}

// readSeedFile reads the URIs of a file; "-" is standard input.
func (p *program) readSeedFile(name string, each func(string) error) error {
	if name == "-" {
		return urilist.Read(p.in, each)
	}
	file, err := openFile(p.stopping, name)
	if err != nil {
		return err
	}
	defer file.Close()
	return urilist.Read(file, each)
}

// listFlags are the filters that seed list, seed retry and datasets share.
type listFlags struct {
	state, format, host, source, code, notice string
	limit                                     int
}

func (f *listFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.state, "state", "", "only seeds in this state")
	flags.StringVar(&f.format, "format", "", "only documents of this format")
	flags.StringVar(&f.host, "host", "", "only seeds of this host")
	flags.StringVar(&f.source, "source", "", "only seeds from this source")
	flags.StringVar(&f.code, "error", "", "only seeds that failed with this code")
	flags.StringVar(&f.notice, "notice", "", "only documents with a notice of this code")
	flags.IntVar(&f.limit, "limit", 0, "at most so many (0: all)")
}

// check brings names into the form that the store knows, and refuses those that it does not.
func (f *listFlags) check() error {
	if f.limit < 0 {
		return usage("--limit is a number from 0")
	}
	if f.state != "" {
		state := seedlist.StateNamed(f.state)
		if state == "" {
			return usage("--state: there is no state %q%s (\"laundromat help states\" lists them)", f.state, didYouMean(f.state, stateNames()...))
		}
		f.state = string(state)
	}
	if f.format != "" {
		known, err := format.Named(f.format)
		if err != nil {
			return usage("--format: %q is no RDF format that is known here%s (\"laundromat help formats\" lists them)", f.format, didYouMean(f.format, formatNames...))
		}
		f.format = string(known)
	}
	for flag, code := range map[string]*string{"error": &f.code, "notice": &f.notice} {
		if *code == "" {
			continue
		}
		*code = strings.ToLower(strings.TrimSpace(*code))
		if _, known := fault.Explain(fault.Code(*code)); !known {
			return usage("--%s: there is no code %q%s (\"laundromat explain\" lists them)", flag, *code, didYouMean(*code, codeNames()...))
		}
	}
	return nil
}

func (f *listFlags) query() url.Values {
	query := url.Values{}
	for name, value := range map[string]string{
		"state": f.state, "format": f.format, "host": f.host, "source": f.source, "error": f.code, "notice": f.notice,
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return query
}

func (p *program) seedListCommand() *cobra.Command {
	var f listFlags
	c := &cobra.Command{
		Use:   "list",
		Short: "List seeds; --json gives whole records",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			api, err := p.connect(c.Context(), toRead)
			if err != nil {
				return err
			}
			defer api.Close()
			out := bufio.NewWriter(p.out)
			defer out.Flush()
			return api.EachSeed(c.Context(), "/seeds", f.query(), f.limit, func(seed seedlist.Seed) error {
				return p.showSeedLine(out, seed)
			})
		},
	}
	f.add(c)
	return c
}

// stageNames are the stages that a seed may begin again with, and the ready states before them.
func stageNames() (names []string) {
	for _, stage := range seedlist.Stages() {
		names = append(names, string(stage), string(stage.Ready()))
	}
	return names
}

// showSeedLine writes one line about a seed.
func (p *program) showSeedLine(w io.Writer, seed seedlist.Seed) error {
	if p.json {
		return encodeTo(w, seed)
	}
	_, err := fmt.Fprintf(w, "%s\t%s\t%s\n", seed.Hash, story.StateWords(seed), story.NameOf(seed))
	return err
}

func (p *program) seedRemoveCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "remove HASH|URI…",
		Short: "Remove seeds, with their children and files",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api, err := p.connect(c.Context(), toChange)
			if err != nil {
				return err
			}
			defer api.Close()
			var first error // what can't be removed costs only itself
			for _, arg := range args {
				hash, err := api.HashOf(c.Context(), arg)
				if err == nil {
					err = api.Delete(c.Context(), "/seeds/"+hash)
				}
				switch {
				case err == nil:
				case first == nil:
					first = err
				default:
					fmt.Fprintf(p.err, "laundromat: %s\n", err)
				}
			}
			return first
		},
	}
}

// hashesOf finds all the seeds that are named, and tells each that is not there: then nothing is to be
// done with the others.
func (p *program) hashesOf(ctx context.Context, api *client.Client, refs []string) (hashes []string, missing error) {
	for _, ref := range refs {
		hash, err := api.HashOf(ctx, ref)
		switch {
		case err == nil:
			hashes = append(hashes, hash)
		case missing == nil:
			missing = err
		default:
			fmt.Fprintf(p.err, "laundromat: %s\n", err)
		}
	}
	return hashes, missing
}

func (p *program) seedRetryCommand() *cobra.Command {
	var from string
	f := listFlags{}
	c := &cobra.Command{
		Use:   "retry [HASH|URI…]",
		Short: "Wash again: the seeds named, or all that failed",
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			if len(args) > 0 {
				if err := refuseIdle(c, "beside seeds that are named", "state", "format", "host", "source", "error", "notice", "limit"); err != nil {
					return err
				}
			}
			if stages := stageNames(); from != "" && !slices.Contains(stages, from) {
				return oneOf("from", from, stages...)
			}
			api, err := p.connect(c.Context(), toChange)
			if err != nil {
				return err
			}
			defer api.Close()
			hashes, err := p.hashesOf(c.Context(), api, args)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				if f.state == "" {
					f.state = string(seedlist.Failed)
				}
				if err := api.EachSeed(c.Context(), "/seeds", f.query(), f.limit, func(seed seedlist.Seed) error {
					hashes = append(hashes, seed.Hash)
					return nil
				}); err != nil {
					return err
				}
			}
			for _, hash := range hashes {
				if err := api.Post(c.Context(), "/seeds/"+hash+"/retry", web.RetryRequest{From: from}, nil); err != nil {
					return err
				}
			}
			if !p.quiet {
				fmt.Fprintf(p.err, "%d to be washed again\n", len(hashes))
			}
			return nil
		},
	}
	f.add(c)
	c.Flags().StringVar(&from, "from", "", "start at this stage (downloading, unarchiving, guessing, parsing) of a seed that failed there")
	return c
}
