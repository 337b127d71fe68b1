package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"laundromat/internal/fault"
	"laundromat/internal/fetch"
	"laundromat/seedlist"
	"laundromat/seedlist/catalog"
	"laundromat/states/daemon"
	"laundromat/states/inputs"
	"laundromat/storage"
	"laundromat/web"
	"laundromat/web/client"
)

// harvestOptions are the flags of catalog harvest.
type harvestOptions struct {
	catalogFlags
	dryRun bool
	accept bool
	bounds harvestBounds
	fetch  fetch.Options
	// contact and hostDelay stand for what fetch wants in other words.
	contact   string
	hostDelay time.Duration
	way       networkFlags
}

// harvestBounds bound a harvest, here and in the daemon.
type harvestBounds struct {
	page  int64
	pages int
}

func (b *harvestBounds) add(flags *pflag.FlagSet) {
	b.page = 1 << 30
	flags.Var(sizeValue{&b.page}, "catalog-page", "longest page of a catalog, unpacked")
	flags.IntVar(&b.pages, "catalog-pages", 10_000, "most pages of one catalog")
}

func (b *harvestBounds) options() daemon.HarvestOptions {
	return daemon.HarvestOptions{MaxBytes: b.page, Catalog: catalog.Options{MaxPages: b.pages}}
}

// daemonFlags are those that only matter where no daemon harvests.
var daemonFlags = []string{"contact", "allow-private", "ignore-robots", "host-delay", "catalog-page", "catalog-pages", "proxy", "ca-file",
	"insecure-host", "host-file"}

func catalogHarvestCommand(u *ui) *cobra.Command {
	var o harvestOptions
	c := &cobra.Command{
		Use:   "harvest HASH|URL|FILE…",
		Short: "Read catalogs at once: their entries become seeds",
		Long: "Harvest reads catalogs at once, and adds those that are not in the list (to be harvested\n" +
			"again only if --interval says so). The daemon that holds the store does it, with its own\n" +
			"settings; where there is none, this process does it.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return runHarvest(u, c, &o, args)
		},
	}
	flags := c.Flags()
	o.catalogFlags.add(flags, 0)
	o.bounds.add(flags)
	flags.BoolVar(&o.dryRun, "dry-run", false, "only show what would be added and what refused; no store is needed")
	flags.BoolVar(&o.accept, "accept", false, "believe catalogs that name far less than before, or nothing: the rest is marked as vanished")
	flags.StringVar(&o.contact, "contact", "", "URL or address for the User-Agent, so that people can reach you")
	o.way.add(flags)
	flags.BoolVar(&o.fetch.AllowPrivate, "allow-private", false, "allow addresses that are not public")
	flags.BoolVar(&o.fetch.IgnoreRobots, "ignore-robots", false, "do not ask robots.txt; for hosts of your own")
	flags.DurationVar(&o.hostDelay, "host-delay", time.Second, "pause between two requests to one host")
	return c
}

func runHarvest(u *ui, c *cobra.Command, o *harvestOptions, args []string) error {
	settings, err := o.settings(c.Flags())
	if err != nil {
		return err
	}
	isKey := func(arg string) bool { return web.IsPrefix(arg) && !isFileHere(arg) }
	named := slices.DeleteFunc(slices.Clone(args), isKey)
	if err := checkTypedCatalogs(named); err != nil {
		return err
	}
	args = localCatalogs(args)
	o.fetch.AllowFile = true // a person names it, and no catalog of another machine can
	o.fetch.UserAgent, o.fetch.HostDelay, o.fetch.HostConnections = userAgent(o.contact), max(0, o.hostDelay), 1
	if o.dryRun {
		return lookAt(c.Context(), u, o, settings, args)
	}
	if !hasStore(u, u.dataDir()) {
		return storage.NoList(u.dataDir())
	}
	api, folder, err := client.Reach(c.Context(), u.dataDir(), storage.Open)
	if err != nil {
		return err
	}
	if api != nil {
		defer api.Close()
		for _, name := range daemonFlags {
			if c.Flags().Changed(name) {
				return usage("--%s is the daemon's to say, which holds %s", name, u.dataDir())
			}
		}
		return eachHarvest(u, args, func(arg string) (seedlist.Catalog, error) {
			if isKey(arg) {
				if arg, err = api.CatalogOf(c.Context(), arg); err != nil {
					return seedlist.Catalog{}, err
				}
			}
			return api.Harvest(c.Context(), arg, settings, o.accept)
		})
	}
	if o.fetch.Network, err = o.way.network(); err != nil {
		return err
	}
	fetcher := fetch.New(o.fetch)
	defer fetcher.Close()
	opt := daemon.RunOptions{Harvest: o.bounds.options(), Version: version().String()}
	opt.Temp = folder.Temp
	opt.Retries = daemon.Retries{Tries: 1} // a person waits, and can say it again
	harvester := daemon.NewHarvester(folder.Seeds, fetcher, zerolog.Nop(), opt)
	err = eachHarvest(u, args, func(arg string) (seedlist.Catalog, error) {
		if isKey(arg) {
			own := client.InProcess(web.New(apiOf(folder, false)), func() error { return nil })
			defer own.Close()
			if arg, err = own.CatalogOf(c.Context(), arg); err != nil {
				return seedlist.Catalog{}, err
			}
		}
		hash, err := withCatalog(u.stopping, folder.Seeds, arg, settings)
		if err != nil {
			return seedlist.Catalog{}, err
		}
		return harvester.HarvestNow(u.stopping, hash, o.accept)
	})
	return errors.Join(err, folder.Close())
}

// localCatalogs are args with the file: URIs of those that are files of this machine.
func localCatalogs(args []string) []string {
	local := slices.Clone(args)
	for i, arg := range local {
		if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() {
			local[i] = inputs.FileIRI(arg)
		}
	}
	return local
}

// eachHarvest harvests one catalog after another. One that fails costs only itself.
func eachHarvest(u *ui, args []string, harvest func(arg string) (seedlist.Catalog, error)) error {
	failed := 0
	for _, arg := range args {
		c, err := harvest(arg)
		if err != nil {
			return err
		}
		if err := showHarvest(u, c); err != nil {
			return err
		}
		if c.Error != nil {
			failed++
			message := c.Error.Message
			if c.Error.Code == "transport/forbidden-address" {
				message += " (--allow-private allows it)"
			}
			fmt.Fprintf(u.err, "laundromat: %s: %s: %s\n", seedlist.Shown(c.URI), c.Error.Code, message)
		}
	}
	if failed > 0 {
		return exit(exitFailed, nil)
	}
	return nil
}

// withCatalog adds the catalog, unless the list has it, and returns its hash.
func withCatalog(ctx context.Context, seeds seedlist.List, arg string, settings seedlist.CatalogSettings) (string, error) {
	hash, err := client.HashOf(arg)
	if err != nil {
		return "", err
	}
	if _, err := seeds.Catalog(ctx, hash); errors.Is(err, seedlist.ErrNotFound) {
		if _, _, err := seeds.AddCatalog(ctx, arg, settings, time.Time{}); err != nil {
			return "", usage("%w", err)
		}
	}
	return hash, nil
}

// looked is a line of a dry run.
type looked struct {
	URI     string            `json:"uri,omitempty"`
	Key     string            `json:"key,omitempty"`
	Title   string            `json:"title,omitempty"`
	Claims  map[string]string `json:"claims,omitempty"`
	Refused catalog.Reason    `json:"refused,omitempty"`
	Message string            `json:"message,omitempty"`
}

// shownLook writes what a dry run finds.
type shownLook struct{ ui *ui }

func (s shownLook) Entry(e catalog.Entry) error {
	if s.ui.json {
		return encodeTo(s.ui.out, looked{URI: seedlist.Shown(e.URI), Key: seedlist.Key(e.URI), Title: e.Title, Claims: e.Claims})
	}
	_, err := fmt.Fprintf(s.ui.out, "%s\t%s\t%s\n", seedlist.Key(e.URI), seedlist.Shown(e.URI), e.Title)
	return err
}

func (s shownLook) Refused(r catalog.Refusal) {
	if s.ui.json {
		encodeTo(s.ui.out, looked{URI: seedlist.ShownIn(r.URI), Refused: r.Reason, Message: seedlist.ShownIn(r.Message)})
		return
	}
	if !s.ui.quiet {
		fmt.Fprintf(s.ui.err, "laundromat: %s: %s %s\n", toldAs(r.Reason), seedlist.ShownIn(r.URI), seedlist.ShownIn(r.Message))
	}
}

// Catalog refuses another catalog: a dry run follows none.
func (s shownLook) Catalog(string) (bool, error) { return false, nil }

// lookAt reads catalogs and adds nothing.
func lookAt(ctx context.Context, u *ui, o *harvestOptions, settings seedlist.CatalogSettings, args []string) error {
	temp, err := os.MkdirTemp("", "laundromat-harvest-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	if o.fetch.Network, err = o.way.network(); err != nil {
		return err
	}
	fetcher := fetch.New(o.fetch)
	defer fetcher.Close()
	opt := daemon.RunOptions{Harvest: o.bounds.options()}
	opt.Temp = temp
	harvester := daemon.NewHarvester(nil, fetcher, zerolog.Nop(), opt)
	reading := opt.Harvest.Catalog
	reading.Kind, reading.All, reading.Temp = catalog.Kind(settings.Kind), settings.All, temp
	if settings.Spec != "" {
		if reading.Records, err = catalog.ParseRecords("spec", []byte(settings.Spec), ""); err != nil {
			return err
		}
	}
	failed := 0
	for _, uri := range args {
		named, err := seedlist.ParseURI(uri)
		if err != nil {
			return usage("%w", err)
		}
		if named.Relative {
			return usage("%s: a catalog needs an absolute URI", named.Shown())
		}
		result, err := harvester.Look(ctx, named.Given, reading, shownLook{u})
		switch {
		case ctx.Err() != nil:
			return err
		case err == nil && result.IsEmpty():
			err = fault.New("catalog.Harvest", fault.Data, fault.CatalogEmpty, "the catalog (%s) names nothing at all", result.Kind)
		case err == nil:
			continue
		}
		failed++
		fmt.Fprintf(u.err, "laundromat: %s: %s\n", named.Shown(), seedlist.ShownIn(err.Error()))
	}
	if failed > 0 {
		return exit(exitFailed, nil)
	}
	return nil
}
