package main

import (
	"bufio"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"laundromat/seedlist"
	"laundromat/states/kind"
	"laundromat/web"
	"laundromat/web/client"
)

// stageNames are the stages that a seed may begin again with, and the ready states before them.
func stageNames() (names []string) {
	for _, stage := range seedlist.Stages() {
		names = append(names, string(stage), string(stage.Ready()))
	}
	return names
}

func seedRetryCommand(u *ui) *cobra.Command {
	var from string
	var force bool
	a := action{path: "/seeds/retry", does: "to be tried again; unchanged documents are not washed again (--force: whatever the " +
		"server says)"}
	c := &cobra.Command{
		Use:   "retry [HASH|URI…]",
		Short: "Try again what is named, a filter finds, or failed; --force: whatever the server says",
		Long: "Retry tries seeds again: those that are named, or those that failed and the filters let through\n" +
			"(--state names another state). The server is asked whether the document changed. What has not\n" +
			"changed since this version washed it with these flags keeps its outcome, a failure too. An entry\n" +
			"of an archive that failed is tried again from the stage that failed; one that did not fail has to\n" +
			"be washed again with --force. What waits for a later try is tried at once.\n\n" +
			"With --force they are fetched whatever the server says, without conditions, and what comes is\n" +
			"washed, with all entries if it is an archive. The filters then let seeds through in any state;\n" +
			"without any, only what failed. An entry goes back to its archive: that is fetched, and of what is\n" +
			"in it, the entry is washed again, and what changed. \"laundromat seed rewash\" washes the stored\n" +
			"bytes again, without the network.\n\n" +
			"Seeds that could not be marked are reported with the reason. Exit: 1 if there is any.",
		RunE: func(c *cobra.Command, args []string) error {
			if stages := stageNames(); from != "" && !slices.Contains(stages, from) {
				return oneOf("from", from, stages...)
			}
			if force {
				if err := refuseIdle(c, "beside --force, which begins with the fetch", "from"); err != nil {
					return err
				}
				a.does = "to be fetched again, whatever the server says, and washed again"
			}
			if from != "" {
				a.does = "to be tried again, from the stage that failed"
			}
			if len(args) == 0 && a.State == "" && (!force || !a.isSet()) {
				a.State = string(seedlist.Failed)
			}
			a.body = func(s web.Selection) any { return web.RetrySelection{Selection: s, From: from, Force: force} }
			return actOnSeeds(u, c, &a, args)
		},
	}
	a.add(c)
	c.Flags().StringVar(&from, "from", "", "start at this stage (downloading, unarchiving, guessing, parsing) of a seed that failed there")
	c.Flags().BoolVar(&force, "force", false, "fetch without conditions and wash what comes, whether or not it changed")
	return c
}

func seedRewashCommand(u *ui) *cobra.Command {
	var lacks, recipe string
	a := action{path: "/seeds/rewash", does: "to be washed again from the stored bytes", body: func(s web.Selection) any {
		return web.RewashSelection{Selection: s, Lacks: lacks, Recipe: recipe}
	}}
	sample := 0
	c := &cobra.Command{
		Use:   "rewash [HASH|URI…]",
		Short: "Wash the stored bytes of seeds again, without the network, by names or filters",
		Long: "Rewash washes seeds again from their stored bytes: those that are named, or those that the filters\n" +
			"let through. It is for a new version of laundromat, or for other flags of serve. Nothing is\n" +
			"fetched. The clean file of before stays until the new one takes its place. Of an archive, all\n" +
			"entries are washed again. An entry goes back to its archive: that is unpacked again, and of what\n" +
			"is in it, the entry is washed.\n\n" +
			"The stored bytes are read whole first. Those that are missing or damaged are not washed;\n" +
			"\"laundromat seed retry --force\" fetches them again. Seeds that could not be marked are reported with the\n" +
			"reason. Exit: 1 if there is any.\n\n" +
			"After serve was started with other --products, --lacks names one that documents have not been asked for\n" +
			"before. Of the seeds that are named, or that the filters let through, those are washed again that have no such\n" +
			"product and are of a format that makes it. All others are left alone.\n\n" +
			"With --dry-run --sample N the daemon washes N of the documents beside, with its settings, stores nothing,\n" +
			"and says what would change: statements, and notices by code.\n\n" +
			"With --recipe these are the documents that the recipe concerns: those that an older form of it was found\n" +
			"for, or that it was found for and is no more, and those for which it would be found now. No bytes are\n" +
			"looked at to find them.",
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("sample") {
				if lacks != "" || recipe != "" {
					return usage("--sample compares washes that there are, and --lacks and --recipe ask for others: leave one out")
				}
				return washSample(u, c, &a, args, sample)
			}
			if lacks != "" {
				if err := oneOf("lacks", lacks, kind.Products()...); err != nil {
					return err
				}
			}
			if len(args) == 0 && !a.isSet() && lacks == "" && recipe == "" {
				return usage("seed rewash wants a HASH or URI, or a filter, such as --state parsed (see \"laundromat seed rewash --help\")")
			}
			return actOnSeeds(u, c, &a, args)
		},
	}
	a.add(c)
	c.Flags().StringVar(&lacks, "lacks", "", "only documents that make this product (statements, records, articles) and have none, since "+
		"it was not asked for")
	c.Flags().IntVar(&sample, "sample", 0, "with --dry-run: wash so many of the documents beside, and say what would change")
	c.Flags().StringVar(&recipe, "recipe", "", "only documents that the recipe of this NAME concerns: they would be washed otherwise now")
	return c
}

func seedRemoveCommand(u *ui) *cobra.Command {
	a := action{path: "/seeds/remove", does: "removed, with their entries and files", body: func(s web.Selection) any { return s },
		eachForItself: true}
	c := &cobra.Command{
		Use:   "remove [HASH|URI…]",
		Short: "Remove seeds, with their children and files, by names or filters",
		Long: "Remove takes seeds out of the store, with their entries, attempts and files: those that are named, or\n" +
			"those that the filters let through. Entries go with their archive, and clean files with the last\n" +
			"document that was washed to them: neither can be removed by itself. --dry-run says what would go.\n" +
			"Exit: 1 if something could not be removed.",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 && !a.isSet() {
				return usage("seed remove wants a HASH or URI, or a filter, such as --host example.org (see \"laundromat seed remove " +
					"--help\")")
			}
			return actOnSeeds(u, c, &a, args)
		},
	}
	a.add(c)
	return c
}

func seedSetCommand(u *ui) *cobra.Command {
	var priority, keep int
	var interval time.Duration
	var title, recipe string
	var set seedlist.SeedSettings
	a := action{path: "/seeds/set", does: "set", body: func(s web.Selection) any { return web.SetSelection{Selection: s, Set: set} }}
	c := &cobra.Command{
		Use:   "set [HASH|URI…]",
		Short: "Change the title, priority, interval or number of versions of seeds, by names or filters",
		Long: "Set changes settings of seeds: those that are named, or those that the filters let through. What\n" +
			"waits moves at once by its priority. A seed that rests is fetched again when its interval has passed since\n" +
			"its last end. An entry of an archive has no interval, since it is not fetched by itself. A document\n" +
			"that isn't data any more goes on to be served as it was last washed, until --forget ends that.\n\n" +
			"Seeds that could not be set are reported with the reason. Exit: 1 if there is any.",
		RunE: func(c *cobra.Command, args []string) error {
			flags := c.Flags()
			if flags.Changed("priority") {
				set.Priority = &priority
			}
			if flags.Changed("interval") {
				if interval > 0 && interval < time.Second {
					return usage("--interval: %v is less than a second", interval)
				}
				set.Interval = ptr(int64(interval / time.Second))
				if interval < 0 {
					set.Interval = ptr(int64(-1))
				}
			}
			if flags.Changed("keep-versions") {
				if keep >= 0 {
					if err := checkKeepVersions(keep); err != nil {
						return err
					}
				}
				set.KeepVersions = &keep
			}
			if flags.Changed("title") {
				set.Title = &title
			}
			if flags.Changed("recipe") {
				set.Recipe = &recipe
			}
			if set.IsEmpty() {
				return usage("seed set wants --priority, --interval, --keep-versions, --title, --recipe or --forget (see \"laundromat seed set --help\")")
			}
			if len(args) == 0 && !a.isSet() {
				return usage("seed set wants a HASH or URI, or a filter, such as --host example.org (see \"laundromat seed set --help\")")
			}
			return actOnSeeds(u, c, &a, args)
		},
	}
	a.add(c)
	flags := c.Flags()
	flags.IntVar(&priority, "priority", 0, "larger first")
	flags.StringVar(&title, "title", "", "what people call it; empty: none")
	flags.StringVar(&recipe, "recipe", "", "the NAME of the recipe by which they are washed, whatever matches them; empty: that which matches")
	flags.BoolVar(&set.Forget, "forget", false, "no longer serve the last good wash of a document that came to nothing since")
	flags.DurationVar(&interval, "interval", 0, "fetch again after this time, such as 2400h; 0: never by itself; below 0: as serve says")
	flags.IntVar(&keep, "keep-versions", 0, "clean files of older versions that are kept, up to 49; below 0: as serve says")
	for _, name := range []string{"priority", "interval", "keep-versions"} {
		maybeNegative(flags, name)
	}
	return c
}

// action is what a verb does with many seeds.
type action struct {
	listFlags
	path   string // of the API
	does   string // what is done, after a number
	body   func(web.Selection) any
	dryRun bool
	// eachForItself says that a name which is not in the store costs only itself.
	eachForItself bool
}

func (a *action) add(c *cobra.Command) {
	a.listFlags.add(c)
	c.Flags().BoolVar(&a.dryRun, "dry-run", false, "change nothing; say how many seeds it would be")
}

// asked is the action as the API is asked for it.
func (a *action) asked() client.Action {
	return client.Action{Path: a.path, Body: a.body, DryRun: a.dryRun}
}

// actOnSeeds does what an action does with the seeds that are named, or that the filters let through.
func actOnSeeds(u *ui, c *cobra.Command, a *action, args []string) error {
	ctx := c.Context()
	if len(args) > 0 {
		if err := refuseIdle(c, "beside seeds that are named", append(filterFlags, "limit")...); err != nil {
			return err
		}
	}
	how := toChange
	if a.dryRun {
		how = toRead
	}
	api, _, err := connectFiltered(ctx, u, how, &a.listFlags)
	if err != nil {
		return err
	}
	defer api.Close()
	done := actionTally{out: bufio.NewWriter(u.out), ui: u, with: map[string]bool{}, reasons: map[string]int{}, byFilter: len(args) == 0}
	defer done.out.Flush()
	var missing error
	if len(args) > 0 {
		var hashes []string
		if hashes, missing = hashesOf(ctx, u, api, args); missing != nil && !a.eachForItself {
			return missing
		}
		err = api.ActOn(ctx, a.asked(), hashes, done.add)
	} else {
		err = api.ActOnAll(ctx, a.asked(), a.SeedFilter, a.limit, done.add)
	}
	if err != nil {
		return err
	}
	if err := done.out.Flush(); err != nil {
		return err
	}
	tellActed(u, a, &done)
	switch {
	case missing != nil:
		return missing
	case len(done.reasons) > 0:
		return exit(exitFailed, nil)
	}
	return nil
}

// actionTally counts what an action came to.
type actionTally struct {
	ui      *ui
	out     *bufio.Writer
	done    int
	members int             // of done: those that go back to an archive
	with    map[string]bool // those archives, and the documents of URIs with a fragment
	// byFilter says that nobody named the seeds.
	byFilter bool
	follow   int            // members that are washed again when their archives are
	reasons  map[string]int // why nothing was done
}

// mostTold is how many seeds of one reason are told by name.
const mostTold = 10

func (t *actionTally) add(one web.ActedOn) error {
	if one.Follows && t.byFilter {
		t.follow++
	} else if one.Error == "" {
		t.done++
		if one.With != "" {
			t.members++
			t.with[one.With] = true
		}
	} else if t.reasons[one.Error]++; t.reasons[one.Error] <= mostTold && !t.ui.json {
		fmt.Fprintf(t.ui.err, "laundromat: %s: %s\n", one.URI, one.Error)
	}
	if !t.ui.json {
		return nil
	}
	return encodeTo(t.out, one)
}

// tellActed says what was done, and of what was not, how much of it and why.
func tellActed(u *ui, a *action, done *actionTally) {
	if u.quiet {
		return
	}
	would := ""
	if a.dryRun {
		would = "dry run, nothing is changed: "
	}
	with := ""
	if done.members > 0 {
		with = fmt.Sprintf("; %d of them with %d archives or documents that they are part of", done.members, len(done.with))
	}
	if done.follow > 0 {
		with += fmt.Sprintf("; %d entries follow their archives", done.follow)
	}
	fmt.Fprintf(u.err, "%s%d %s%s\n", would, done.done, a.does, with)
	for _, reason := range slices.Sorted(maps.Keys(done.reasons)) {
		if n := done.reasons[reason]; n > 1 || u.json {
			fmt.Fprintf(u.err, "%d not: %s\n", n, strings.TrimSpace(reason))
		}
	}
}
