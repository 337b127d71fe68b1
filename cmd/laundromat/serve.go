package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"laundromat/internal/commands"
	"laundromat/internal/demo"
	"laundromat/internal/fetch"
	"laundromat/internal/files"
	"laundromat/internal/logfile"
	"laundromat/internal/settings"
	"laundromat/internal/systemd"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/states/daemon"
	"laundromat/states/kind"
	"laundromat/storage"
	"laundromat/web"
	"laundromat/web/socket"
)

// serveOptions are the flags of serve.
type serveOptions struct {
	seedFiles []string
	catalogs  []string
	recipes   recipeFiles
	// catalogInterval is that of the catalogs named by flags.
	catalogInterval time.Duration
	bounds          harvestBounds
	follow          []string
	untilIdle       bool
	demo            bool

	workers      int
	stageWorkers map[seedlist.State]*int
	store        seedlist.Options
	fetch        fetch.Options
	run          daemon.RunOptions
	contact      string
	keepFree     int64
	amounts
	log      logFlags
	list     string // the address of a database for the seed list; "" for the folder, or as before
	blobs    string // the address of an object store for files; "" for the folder, or as before
	roleName string
	role     storage.Role
	service  serviceFlags
	way      networkFlags
	events   eventFlags
	settingsFlags
}

// amounts are what is kept, and the bandwidth.
type amounts struct {
	kept      web.KeepRequest
	bandwidth int64
}

func serveCommand(u *ui) *cobra.Command {
	var o serveOptions
	c := &cobra.Command{
		Use:   "serve",
		Short: "The daemon: wash every seed through every state",
		Long: "Serve takes every seed of the list through its states: downloading, unarchiving, guessing,\n" +
			"parsing. It serves the API that the other verbs talk to. The first SIGINT or SIGTERM ends\n" +
			"claiming and lets short work end; the second exits at once.",
		Args: noSeedArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return runServe(u, c, &o)
		},
	}
	o.add(u, c)
	u.serve = &o
	c.SetUsageFunc(func(c *cobra.Command) error {
		_, err := fmt.Fprintf(c.OutOrStderr(), "Usage:\n  %s\n\n%s", c.UseLine(), settings.Usage(c.Flags(), helpWidth))
		return err
	})
	return c
}

// helpWidth is how wide help is that is in groups.
const helpWidth = 120

// add adds the flags of serve to a command.
func (o *serveOptions) add(u *ui, c *cobra.Command) {
	o.stageWorkers = map[seedlist.State]*int{}
	flags := c.Flags()
	flags.StringArrayVar(&o.seedFiles, "seeds", nil, "add the URIs of this FILE (- for standard input), a line each")
	flags.StringArrayVar(&o.catalogs, "catalog", nil, "add this catalog's URL, and harvest it; one that is known keeps its settings")
	flags.StringArrayVar(&o.recipes.names, "recipe", nil, "keep the recipe of this FILE, which says what is made of which documents; several are "+
		"in their order")
	flags.StringVar(&o.recipes.into.text, "records-into", "", "keep the records that recipes make in this database, a table for each recipe: "+
		"sqlite:FILE or postgres://USER@HOST:PORT/DATABASE")
	flags.DurationVar(&o.catalogInterval, "catalog-interval", catalogInterval, "harvest the catalogs named here again after this time; "+
		"0: only when asked for")
	o.bounds.add(flags)
	flags.StringSliceVar(&o.follow, "follow", []string{"alternate"}, "documents that are named become seeds: alternate (by a page's "+
		"links and headers), void (void:dataDump), dcat (dcat:downloadURL), catalogs (those that a catalog names become catalogs); none")
	flags.StringSliceVar(&o.run.Products, "products", []string{kind.Statements}, "what is made of documents: statements, records (of "+
		"tables, trees and pages), articles (of pages, feeds and texts)")
	flags.StringVar(&o.run.Metadata, "table-metadata", daemon.MetadataFound, "where "+
		"the metadata of tables that become records is looked for: "+
		"linked (where the server names it), found (also in the usual places, on hosts where one of the first five tables has some), "+
		"always (there for each table), off (only what catalogs claim and archives hold)")
	flags.IntVar(&o.run.Follow.Depth, "follow-depth", 1, "how many documents may lead one to another")
	flags.BoolVar(&o.untilIdle, "until-idle", false, "end when nothing is left to do")
	flags.BoolVar(&o.demo, "demo", false, "wash a small world of dirty data that lives in the program (in ./laundromat-demo), with all products")
	flags.StringVar(&o.service.listen, "listen", defaultListen, "address of the API, which only reads without a token; port 0 picks one, "+
		"and so "+
		"does the default if it is taken")
	flags.BoolVar(&u.profiles.Served, "pprof", false, "serve /debug/pprof/ beside the API, for go tool pprof; only where --listen is a "+
		"loopback "+
		"address")
	o.log.add(c)
	o.service.add(flags)
	o.events.add(flags)
	o.addPools(flags)
	o.addFetching(flags)
	o.addSearch(flags)
	o.settingsFlags.add(flags)
	flags.IntVar(&o.run.Level, "level", 6, "compression of clean files, 1 (fast) to 9 (small)")
	flags.IntVar(&o.run.ProductLevel, "product-level", 2, "compression of records and articles, 1 (fast) to 9 (small)")
}

// addPools adds the flags about workers, memory and limits.
func (o *serveOptions) addPools(flags *pflag.FlagSet) {
	flags.IntVar(&o.workers, "workers", poolSize, "workers of each stage")
	for _, stage := range seedlist.Stages() {
		n := new(int)
		o.stageWorkers[stage] = n
		flags.IntVar(n, "workers-"+string(stage), poolSize, "workers of "+string(stage)+", in place of --workers")
	}
	o.run.Memory = 1 << 30
	flags.Var(sizeValue{&o.run.Memory}, "memory", "memory for the daemon as a whole")
	o.keepFree = 256 << 20
	flags.StringVar(&o.blobs, "blobs", "", "keep files in this object store, s3://BUCKET/PREFIX?endpoint=URL, not in the data folder; "+
		"said once, at the first start")
	flags.StringVar(&o.list, "store", "", "keep the seed list in this database, postgres://USER@HOST:PORT/DATABASE, not in the data "+
		"folder; said once, at the first start")
	flags.StringVar(&o.roleName, "role", string(storage.RoleAll), "what this process does, where the list is in a database: api (serves, works "+
		"on no seed), worker (works, serves monitors alone), or all")
	flags.Var(sizeValue{&o.keepFree}, "keep-free", "nothing new is begun while the disk has less than this left; 0: no matter how little")
	o.run.NoticesMax = 1 << 30
	flags.Var(sizeValue{&o.run.NoticesMax}, "notices-max", "longest list of notices of one document; the counts go on")
	flags.IntVar(&o.run.Retries.Tries, "tries", 5, "most tries of a stage that fails for the other side's trouble")
	flags.DurationVar(&o.run.Retries.First, "retry-delay", 10*time.Second, "pause before the second try; it doubles each time")
}

// addFetching adds the flags about hosts and downloads.
func (o *serveOptions) addFetching(flags *pflag.FlagSet) {
	flags.DurationVar(&o.store.Interval, "interval", 2400*time.Hour, "fetch a seed again after this time, unless it has its own; 0: never")
	addKeepVersions(flags, &o.store.KeepVersions, ", of seeds without a number of their own")
	addKept(flags, &o.kept)
	flags.DurationVar(&o.store.IntervalMin, "interval-min", 0, "shortest --interval, for seeds that change (default a 32nd of --interval)")
	flags.DurationVar(&o.store.IntervalMax, "interval-max", 0, "longest --interval, for seeds that do not (default four times --interval)")
	flags.IntVar(&o.store.HostConnections, "host-connections", 1, "downloads from one host at once")
	flags.DurationVar(&o.store.HostDelay, "host-delay", time.Second, "pause between two downloads from one host")
	flags.StringVar(&o.contact, "contact", "", "URL or address for the User-Agent, so that people can reach you")
	o.way.add(flags)
	flags.BoolVar(&o.fetch.AllowPrivate, "allow-private", false, "allow addresses that are not public")
	flags.BoolVar(&o.fetch.AllowFile, "allow-file", false, "allow files of this machine (file:) that you name as seeds or catalogs")
	flags.DurationVar(&o.fetch.MaxCrawlDelay, "crawl-delay-max", 30*time.Second, "longest Crawl-delay of a robots.txt that is kept")
	flags.IntVar(&o.fetch.AddressConnections, "address-connections", 0, "most connections at once to one IP address, whatever the names "+
		"of its hosts; 0: no bound")
	flags.Var(sizeValue{&o.bandwidth}, "bandwidth", "bytes per second of all downloads of this process together, in equal parts (from 1K); "+
		"0: no bound")
	flags.DurationVar(&o.fetch.RobotsRetry, "robots-retry", 5*time.Minute, "how long a robots.txt that could not be had is not asked "+
		"for again")
	flags.BoolVar(&o.fetch.IgnoreRobots, "ignore-robots", false, "do not ask robots.txt; for hosts of your own")
	flags.DurationVar(&o.fetch.ConnectTimeout, "connect-timeout", 30*time.Second, "longest wait for a connection")
	flags.DurationVar(&o.fetch.HeaderTimeout, "header-timeout", time.Minute, "longest wait for the headers of a reply")
	flags.DurationVar(&o.fetch.IdleTimeout, "silence-timeout", time.Minute, "longest silence within a body")
	o.fetch.LeastSpeed = 100
	flags.Var(sizeValue{&o.fetch.LeastSpeed}, "least-speed",
		"fewest bytes per second of a body, over each --silence-timeout; 0: no matter "+
			"how few")
	o.fetch.MaxBytes = 1 << 40
	flags.Var(sizeValue{&o.fetch.MaxBytes}, "max-download", "longest body to download")
}

// poolSize is the number of workers of each stage. One on a small document waits for the disk most of
// the time, and one write to the disk serves all who wait. So there are more of them than processors.
// What documents at work take together, the budget bounds.
const poolSize = 64

// leastBandwidth is that with which many downloads at once still go on, in bytes per second.
const leastBandwidth = 1 << 10

// Small documents leave little in memory and much garbage: collecting it seldom
// saves a tenth of the work. The limit makes it often again when documents at work
// take all of their budget.
const (
	gcPercent     = 400
	seldomPercent = 800     // where there is memory enough
	seldomFrom    = 1 << 30 // --memory, in bytes
	// memoryBeside is what the process needs besides documents, in bytes; of little memory,
	// a quarter.
	memoryBeside = 128 << 20
)

// complete checks the flags and puts them into the words of the packages.
func (o *serveOptions) complete(u *ui, flags *pflag.FlagSet) error {
	washed, err := o.settings(o.run.Memory, nil)
	if err != nil {
		return err
	}
	if err := cmp.Or(checkLevel("level", o.run.Level), checkLevel("product-level", o.run.ProductLevel)); err != nil {
		return err
	}
	o.run.Settings = washed
	if len(o.catalogs) == 0 && settings.IsTyped(flags.Lookup("catalog-interval")) {
		return usage("--catalog-interval has no effect without --catalog URL")
	}
	if o.role, err = roleOf(o.roleName); err != nil {
		return err
	}
	if o.role == storage.RoleAPI && o.untilIdle {
		return usage("--role api works on no seed, so that it is never idle: leave --until-idle out")
	}
	o.service.listenGiven = flags.Changed("listen")
	if _, err := o.service.site(); err != nil {
		return err
	}
	o.run.Version = version().String()
	o.run.UntilIdle, o.run.LogEvents = o.untilIdle, o.log.events
	o.run.Harvest = o.bounds.options()
	for _, name := range o.run.Products {
		if err := oneOf("products", name, kind.Products()...); err != nil {
			return err
		}
	}
	if err := oneOf("table-metadata", o.run.Metadata, daemon.MetadataWays()...); err != nil {
		return err
	}
	if err := cmp.Or(o.recipes.load(u), o.recipes.into.complete(), o.completeFollow()); err != nil {
		return err
	}
	o.run.Workers = map[seedlist.State]int{}
	for stage, n := range o.stageWorkers {
		o.run.Workers[stage] = o.workers
		if flags.Changed("workers-" + string(stage)) {
			o.run.Workers[stage] = *n
		}
	}
	if o.demo {
		o.completeDemo(u, flags)
	}
	if o.store.HostDelay <= 0 {
		o.store.HostDelay = -1
	}
	if err := o.checkAmounts(); err != nil {
		return err
	}
	o.fetch.AddressConnections = max(0, o.fetch.AddressConnections)
	if o.store.Interval <= 0 {
		o.store.Interval = -1
	}
	if o.fetch.LeastSpeed == 0 {
		o.fetch.LeastSpeed = -1
	}
	o.fetch.UserAgent = userAgent(o.contact)
	if err := o.events.complete(); err != nil {
		return err
	}
	o.fetch.Network, err = o.way.network()
	return err
}

// checkAmounts checks what is kept, and the bandwidth.
func (o *serveOptions) checkAmounts() error {
	if o.bandwidth > 0 && o.bandwidth < leastBandwidth {
		return usage("--bandwidth is 0, for no bound, or at least 1K per second, not %d", o.bandwidth)
	}
	if err := cmp.Or(checkKeepVersions(o.store.KeepVersions), o.checkSearch()); err != nil {
		return err
	}
	return checkKept(o.kept)
}

// completeDemo fills in what the demo has otherwise.
func (o *serveOptions) completeDemo(u *ui, flags *pflag.FlagSet) {
	if u.data == "" {
		u.data = "laundromat-demo"
	}
	o.fetch.Transport = &demo.Transport{}
	// The one host of the demo is in this process: there is nobody to be polite to.
	if !flags.Changed("host-delay") {
		o.store.HostDelay = 0
	}
	if !flags.Changed("products") {
		o.run.Products = kind.Products()
	}
	if !flags.Changed("host-connections") {
		o.store.HostConnections = poolSize
	}
	if !flags.Changed("retry-delay") {
		o.run.Retries.First = 10 * time.Millisecond
	}
}

// completeFollow reads --follow, and finds out what our own site is: nothing that we
// publish is washed again.
func (o *serveOptions) completeFollow() error {
	for _, name := range o.follow {
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "alternate":
			o.run.Follow.Alternate = true
		case "none":
			if len(o.follow) > 1 {
				return usage("--follow: none can't be combined with others")
			}
		case "void":
			o.run.Follow.VoID = true
		case "dcat":
			o.run.Follow.DCAT = true
		case "catalogs":
			o.run.Follow.Catalogs = true
		default:
			return oneOf("follow", name, "alternate", "void", "dcat", "catalogs", "none")
		}
	}
	if o.run.Follow.Depth < 1 {
		return usage("--follow-depth is 1 or more, not %d", o.run.Follow.Depth)
	}
	if site, err := seedlist.ParseURI(o.genid); err == nil && site.Host != "" {
		o.run.Follow.Own = []string{site.Host}
		o.run.Harvest.Catalog.Own = o.run.Follow.Own
	}
	return nil
}

func runServe(u *ui, c *cobra.Command, o *serveOptions) error {
	if err := o.complete(u, c.Flags()); err != nil {
		return err
	}
	// A terminal that is closed, and a reader of the log that goes, are no reasons to end.
	signal.Ignore(syscall.SIGHUP, syscall.SIGPIPE)
	if err := o.log.check(c, u.quiet); err != nil {
		return err
	}
	log, err := openLog(u, &o.log)
	if err != nil {
		return err
	}
	defer log.Close()
	dir := u.dataDir()
	started := socket.Announce(dir)
	defer started()
	o.store.Pace, o.run.Live = &seedlist.Pace{}, &atomic.Pointer[daemon.Retries]{}
	o.store.Damaged = func(d *seedlist.Damage) { log.Error().Err(d).Msg("the seed list is damaged") }
	if err := storage.RefuseSecond(u.stopping, dir, o.list); err != nil {
		return err
	}
	if err := o.role.Settle(dir, o.list, o.blobs); err != nil {
		return err
	}
	folder, err := storage.OpenWith(dir, o.blobs, o.list, o.store)
	if errors.As(err, new(*bolt.LockedError)) {
		return exit(exitLocked, fmt.Errorf("%w; if that is a daemon, \"laundromat seed add\" and all other verbs talk to it; "+
			"one for other seeds wants another folder: --data DIR", err))
	}
	if err != nil {
		return err
	}
	defer folder.Close()
	folder.LogLoss, folder.Serves, folder.Role, folder.Begun = log.Lost, true, o.role, time.Now().UTC()
	collectSeldom(o.run.Memory)
	if err := prepareHouse(u, folder, dir, log, o); err != nil {
		return err
	}
	account := o.run.Memory - min(memoryBeside, o.run.Memory/4)
	budget := daemon.NewBudget(account)
	o.recipes.into.budget, o.recipes.into.most = budget, account
	stopTables, err := o.recipes.into.begin(u.stopping, folder, o.list, log.Logger)
	if err != nil {
		return err
	}
	defer stopTables()
	noteStrays(u)
	o.service.meter = metricsOf(folder, dir)
	folder.Measure(o.service.meter)
	if err := folder.Speak(u.stopping); err != nil {
		return err
	}
	o.run.Events = commands.New(&commandLog{log.Logger, o.service.meter})
	folder.Events = o.run.Events
	defer closeEvents(u, o.run.Events)
	o.events.setOn(o.run.Events)
	go watchBackups(u.stopping, dir, o.run.Events)
	go noteWashers(u.stopping, folder, log.Logger)
	again, release := reloading(u, c, folder, o, log.Logger)
	defer release()
	stopServing, err := serveAPI(u, folder, dir, log, &o.service)
	if err != nil {
		return err
	}
	defer stopServing()
	started()
	if err := systemd.Notify(systemd.Ready); err != nil {
		log.Warn().Err(err).Msg("systemd could not be notified that the service is ready")
	}
	defer systemd.Notify(systemd.Stopping)
	go systemd.Live(u.stopping, func(ctx context.Context) bool { return lives(ctx, folder) })
	if address, err := os.ReadFile(filepath.Join(dir, storage.AddressFile)); err == nil {
		o.run.Follow.Own = append(o.run.Follow.Own, strings.TrimSpace(string(address)))
		o.run.Harvest.Catalog.Own = o.run.Follow.Own
	}

	defer runActions(u, folder, log)()
	if err := addInitial(u.stopping, u, folder.Seeds, log.Logger, o); err != nil {
		return err
	}
	o.fetch.Manners, o.fetch.Leases = daemon.HostManners(folder.Seeds), daemon.HostLeases(folder.Seeds)
	o.fetch.Bandwidth = again.bandwidth
	fetcher := fetch.New(o.fetch)
	defer fetcher.Close()
	again.fetcher.Store(fetcher)
	o.run.Memory = account
	folder.Files.KeepFree(o.keepFree)
	o.keepIn(folder)
	if o.role == storage.RoleAPI {
		<-u.stopping.Done()
		log.Info().Msg("the service has ended")
		return nil
	}
	o.run.Meter, o.run.Keep = o.service.meter, &folder.Kept
	runner := daemon.NewRunner(folder.Seeds, folder.Files, fetcher, log.Logger, o.run)
	daemon.ShareBudget(runner, budget)
	folder.Runner.Store(runner)
	watch := startWatch(u, folder.Seeds, runner, log, o.untilIdle)
	running, stop := storage.UntilBroken(u.stopping, folder.Seeds)
	err = runner.Run(running, u.killed)
	broken := context.Cause(running)
	stop()
	watch.stop()
	if err != nil {
		return err
	}
	if u.stopping.Err() == nil && broken != nil {
		return broken
	}
	log.Info().Int64("done", runner.Progress().Done).Msg("the work has ended; unfinished work is given back")
	if o.untilIdle && u.stopping.Err() == nil {
		catchUp(u.stopping, folder, log.Logger)
		catchUpLists(u.stopping, folder)
		return writeSummary(u, folder)
	}
	return nil
}

// collectSeldom sets how often garbage is collected, by the memory that there is. It comes before the seeds of a list
// are added: a daemon that begins has little in use, and would collect every few milliseconds.
func collectSeldom(memory int64) {
	percent := gcPercent
	if memory >= seldomFrom {
		percent = seldomPercent
	}
	debug.SetGCPercent(percent)
	debug.SetMemoryLimit(memory - min(programMemory, memory/8))
}

// longestListing is how long a daemon that ends waits for its lists and counts. What they lack then, the next makes up.
const longestListing = 10 * time.Second

// catchUpLists waits until the lists and counts hold what was done: who looks into the store next finds them so.
func catchUpLists(ctx context.Context, folder *storage.Folder) {
	if folder.Views == nil || folder.Role == storage.RoleWorker {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, longestListing)
	defer cancel()
	if revision, err := folder.Seeds.Revision(ctx); err == nil {
		_ = folder.Views.Wait(ctx, revision)
	}
}

// keepIn lets a folder keep what the flags say.
func (o *serveOptions) keepIn(folder *storage.Folder) {
	kept, err := storage.RetentionOf(o.kept)
	if err != nil { // the flags were checked
		return
	}
	kept.Number = &o.store.KeepVersions
	folder.Kept.Store(&kept)
}

// prepareHouse clears up what the last run left, and begins what follows the list.
func prepareHouse(u *ui, folder *storage.Folder, dir string, log *logfile.Log, o *serveOptions) error {
	if err := folder.ClearTemp(); err != nil {
		return err
	}
	if list, ok := folder.Seeds.(*bolt.Store); ok {
		if n := list.Recovered(); n > 0 {
			log.Info().Int("seeds", n).Msg("given back what was at work when the last run ended")
		}
	}
	if n, err := folder.Files.Sweep(u.stopping, files.SweepOptions{}); err != nil {
		return err
	} else if n > 0 {
		log.Info().Int("files", n).Msg("swept temporary files")
	}
	if at, err := storage.BlobsAddress(dir); err == nil && at != nil {
		go folder.ProbeFiles(u.stopping)
	}
	o.run.Temp, o.run.ContextInterval, o.run.Counted = folder.Temp, o.store.Interval, folder.Counts.Keep
	if err := folder.OpenViews(dir, log.Logger); err != nil || o.role == storage.RoleWorker {
		return err
	}
	folder.OpenSearch(o.run.Labels, log.Logger)
	o.run.Terms = folder.OpenTerms(log.Logger)
	return nil
}

// addInitial adds the seeds of --demo and --seeds, and the catalogs of --catalog. What is refused is logged, and
// costs only itself.
func addInitial(ctx context.Context, u *ui, seeds seedlist.List, log zerolog.Logger, o *serveOptions) error {
	adder := seedlist.NewAdder(seeds, func(err error) { log.Warn().Err(err).Msg("refused") })
	add := func(source string) func(string) error {
		return func(uri string) error { return adder.Add(ctx, seedlist.NewSeed{URI: uri, Source: source}) }
	}
	if o.demo {
		each := add("demo")
		for _, uri := range demo.Seeds() {
			if err := each(uri); err != nil {
				return err
			}
		}
	}
	for _, r := range o.recipes.all {
		if _, err := seeds.PutRecipe(ctx, seedlist.Recipe{Name: r.Name, Body: r.Body()}, ""); err != nil {
			return fmt.Errorf("--recipe %s: %w", r.Name, err)
		}
	}
	for _, name := range o.seedFiles {
		if err := readSeedFile(u, name, add("list:"+name)); err != nil {
			return fmt.Errorf("--seeds: %w", err)
		}
	}
	for _, uri := range o.catalogs {
		if _, err := seeds.Catalog(ctx, seedlist.Key(uri)); err == nil {
			continue
		}
		settings := seedlist.CatalogSettings{Interval: int64(max(0, o.catalogInterval) / time.Second)}
		if _, _, err := seeds.AddCatalog(ctx, uri, settings, time.Time{}); err != nil {
			log.Warn().Err(err).Msg("--catalog: refused")
		}
	}
	return adder.Flush(ctx)
}

// noSeedArgs refuses arguments, and says how seeds are given.
func noSeedArgs(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if _, err := os.Stat(args[0]); err == nil {
		return usage("serve takes no arguments: \"serve --seeds %s\" adds the URIs of that file", args[0])
	}
	if u, err := seedlist.ParseURI(args[0]); err == nil && !u.Relative {
		return usage("serve takes no arguments: \"laundromat seed add %s\" adds a URI, also while the daemon runs", u.Shown())
	}
	return usage("serve takes no arguments, so not %q: --seeds FILE adds the URIs of a file, --catalog URL those of a catalog", args[0])
}

// roleOf reads --role.
func roleOf(name string) (storage.Role, error) {
	switch r := storage.Role(name); r {
	case storage.RoleAll, storage.RoleAPI, storage.RoleWorker:
		return r, nil
	}
	return "", oneOf("role", name, string(storage.RoleAll), string(storage.RoleAPI), string(storage.RoleWorker))
}
