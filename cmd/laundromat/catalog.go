package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"laundromat/seedlist"
	"laundromat/seedlist/catalog"
	"laundromat/web"
)

func catalogCommand(u *ui) *cobra.Command {
	return group("catalog", "Add, list, show, harvest and remove catalogs that name seeds", "add, list, show, seeds, harvest or remove",
		catalogAddCommand(u), catalogListCommand(u), catalogShowCommand(u), catalogSeedsCommand(u), catalogHarvestCommand(u),
		catalogRemoveCommand(u))
}

// catalogInterval is the time between two harvests, unless something else is said.
const catalogInterval = 7 * 24 * time.Hour

// catalogFlags are what people say of a catalog.
type catalogFlags struct {
	kind                   string
	interval, seedInterval time.Duration
	all                    bool
	priority               int
	keep                   int
	recipe                 string
	spec                   string
}

func (f *catalogFlags) add(flags *pflag.FlagSet, interval time.Duration) {
	flags.StringVar(&f.kind, "kind", "", "what it is: "+strings.Join(kindNames(), ", ")+" (default: detected from its content)")
	flags.DurationVar(&f.interval, "interval", interval, "harvest again after this time, such as 168h; 0: only when asked for")
	flags.BoolVar(&f.all, "all", false, "also take entries that the catalog declares not to be RDF")
	flags.IntVar(&f.priority, "priority", 0, "of its seeds: larger first")
	maybeNegative(flags, "priority")
	flags.StringVar(&f.recipe, "recipe", "", "the NAME of the recipe by which its seeds are washed, whatever matches them")
	flags.StringVar(&f.spec, "spec", "", "of --kind records: the FILE that says how the records are made which become its seeds, by their fields "+
		"uri, title, and claims of any names (default: the records as they are written)")
	addKeepVersions(flags, &f.keep, ", of its seeds (default: as serve says)")
	flags.DurationVar(&f.seedInterval, "seed-interval", 0, "wash its seeds again after this time; 0: never by itself (default: as "+
		"other seeds)")
}

func (f *catalogFlags) settings(flags *pflag.FlagSet) (seedlist.CatalogSettings, error) {
	kind, ok := catalog.Named(strings.ToLower(f.kind))
	if !ok {
		return seedlist.CatalogSettings{}, usage("--kind: there is no kind of catalog called %q%s (see \"laundromat catalog add --help\")",
			f.kind, didYouMean(f.kind, kindNames()...))
	}
	s := seedlist.CatalogSettings{Kind: string(kind), Interval: int64(f.interval / time.Second), All: f.all, Priority: f.priority,
		Recipe: f.recipe}
	if f.spec != "" {
		by, err := readRecordsSpec(f.spec)
		if err != nil {
			return s, err
		}
		if kind != catalog.Records {
			return s, usage("--spec is for --kind %s", catalog.Records)
		}
		s.Spec = by.Text()
	}
	if flags.Changed("seed-interval") {
		s.SeedInterval = ptr(int64(f.seedInterval / time.Second))
	}
	if flags.Changed("keep-versions") {
		if err := checkKeepVersions(f.keep); err != nil {
			return s, err
		}
		s.KeepVersions = &f.keep
	}
	return s, nil
}

// readRecordsSpec reads the spec of a catalog's records, with the files that it names.
func readRecordsSpec(name string) (*catalog.RecordsSpec, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, usage("%w", err)
	}
	by, err := catalog.ParseRecords(name, text, filepath.Dir(name))
	if err != nil {
		return nil, usage("%w", err)
	}
	return by, nil
}

func catalogAddCommand(u *ui) *cobra.Command {
	var f catalogFlags
	c := &cobra.Command{
		Use:   "add URL|FILE…",
		Short: "Add catalogs, or give those that are there other settings; the daemon harvests them",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			settings, err := f.settings(c.Flags())
			if err != nil {
				return err
			}
			if err := checkTypedCatalogs(args); err != nil {
				return err
			}
			api, err := connect(c.Context(), u, toChange)
			if err != nil {
				return err
			}
			defer api.Close()
			for _, uri := range localCatalogs(args) {
				added, err := api.AddCatalog(c.Context(), uri, settings)
				if err != nil {
					return err
				}
				if err := showCatalogLine(u, u.out, added.Catalog); err != nil {
					return err
				}
			}
			return nil
		},
	}
	f.add(c.Flags(), catalogInterval)
	return c
}

// showCatalogLine writes one line about a catalog.
func showCatalogLine(u *ui, w io.Writer, c seedlist.Catalog) error {
	if u.json {
		return encodeTo(w, c)
	}
	kind := firstNonEmpty(c.Found, c.Kind, "-")
	_, err := fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%s\n", c.Hash, c.Status, kind, c.Listed, c.Gone, seedlist.Shown(c.URI))
	return err
}

func firstNonEmpty(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

func catalogListCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List catalogs; --json gives whole records",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			api, err := connect(c.Context(), u, toRead)
			if err != nil {
				return err
			}
			defer api.Close()
			if err := u.head("key", "status", "kind", "seeds", "vanished", "url"); err != nil {
				return err
			}
			return api.EachCatalog(c.Context(), func(one seedlist.Catalog) error { return showCatalogLine(u, u.out, one) })
		},
	}
}

func catalogShowCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "show HASH|URL",
		Short: "One catalog: the results and refusals of the last harvest, and every attempt",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api, err := connect(c.Context(), u, toRead)
			if err != nil {
				return err
			}
			defer api.Close()
			hash, err := api.CatalogOf(c.Context(), args[0])
			if err != nil {
				return err
			}
			var shown struct {
				web.Catalog
				web.Attempts
			}
			if err := api.Get(c.Context(), "/catalogs/"+hash, nil, &shown.Catalog); err != nil {
				return err
			}
			if err := api.Get(c.Context(), "/catalogs/"+hash+"/attempts", nil, &shown.Attempts); err != nil {
				return err
			}
			encoder := json.NewEncoder(u.out)
			encoder.SetEscapeHTML(false)
			if !u.json {
				encoder.SetIndent("", "  ")
			}
			return encoder.Encode(shown)
		},
	}
}

func catalogSeedsCommand(u *ui) *cobra.Command {
	var gone bool
	c := &cobra.Command{
		Use:   "seeds HASH|URL",
		Short: "The seeds that a catalog names; --gone: those that it named once",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api, err := connect(c.Context(), u, toRead)
			if err != nil {
				return err
			}
			defer api.Close()
			hash, err := api.CatalogOf(c.Context(), args[0])
			if err != nil {
				return err
			}
			query := url.Values{"gone": {fmt.Sprint(gone)}}
			return api.EachSeed(c.Context(), "/catalogs/"+hash+"/seeds", query, 0, func(seed seedlist.Seed) error {
				return showSeedLine(u, u.out, seed)
			})
		},
	}
	c.Flags().BoolVar(&gone, "gone", false, "those that the catalog named once and does not name any more")
	return c
}

func catalogRemoveCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "remove HASH|URL…",
		Short: "Remove catalogs; their seeds stay",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api, err := connect(c.Context(), u, toChange)
			if err != nil {
				return err
			}
			defer api.Close()
			for _, arg := range args {
				hash, err := api.CatalogOf(c.Context(), arg)
				if err != nil {
					return err
				}
				if err := api.Delete(c.Context(), "/catalogs/"+hash); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// showHarvest writes what a harvest came to: a line of the catalog, and what was
// refused, by reason.
func showHarvest(u *ui, c seedlist.Catalog) error {
	if u.json {
		return encodeTo(u.out, c)
	}
	_, err := fmt.Fprintf(u.out, "%s\t%s\t%d entries\t%d new\t%d vanished\t%s\n",
		c.Hash, firstNonEmpty(c.Found, "-"), c.Entries, c.New, c.Vanished, seedlist.Shown(c.URI))
	if u.quiet {
		return err
	}
	for _, reason := range slices.Sorted(maps.Keys(c.Refused)) {
		fmt.Fprintf(u.err, "laundromat: %s: %d\n", toldAs(catalog.Reason(reason)), c.Refused[reason])
	}
	if !c.Complete && c.Error == nil {
		fmt.Fprintf(u.err, "laundromat: not all of the catalog could be read; nothing is marked as vanished\n")
	}
	return err
}

// toldAs is a reason in words for people: what was mended was not refused.
func toldAs(reason catalog.Reason) string {
	if reason == catalog.Mended {
		return "faults that cost nothing, mended"
	}
	return "refused, " + string(reason)
}
