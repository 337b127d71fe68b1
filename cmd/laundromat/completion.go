package main

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"laundromat/rdf/write"
	"laundromat/records/dump"
	"laundromat/seedlist"
	"laundromat/seedlist/catalog"
	"laundromat/storage"
	"laundromat/text/job"
	"laundromat/web"
	"laundromat/web/client"
)

// completer names what may be typed, after what was typed.
type completer = func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective)

// oneOfThese completes values that the program knows.
func oneOfThese(values func() []string) completer {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return values(), cobra.ShellCompDirectiveNoFileComp
	}
}

func these(values ...string) func() []string { return func() []string { return values } }

// productNames are what may be made of a document.
func productNames() []string {
	return []string{seedlist.ProductStatements, seedlist.ProductRecords, seedlist.ProductArticles}
}

// kindNames are the kinds of catalogs that people may name.
func kindNames() (names []string) {
	for _, kind := range catalog.Kinds() {
		names = append(names, string(kind))
	}
	return names
}

// formatsOf are the formats that --as of a verb takes.
func formatsOf(c *cobra.Command) func() []string {
	switch c.Name() {
	case "check":
		return reportNames
	case "diff":
		return these("lines", "patch", "counts")
	case "records":
		return func() []string { return slices.Concat(dump.Formats(), write.Extensions()) }
	case "undo":
		return dump.Formats
	case "get":
		return func() []string { return union(dump.Formats(), articleForms()) }
	case "text":
		return job.Outputs
	}
	return these()
}

// union are the names of both lists, each once.
func union(one, other []string) []string {
	for _, name := range other {
		if !slices.Contains(one, name) {
			one = append(slices.Clip(one), name)
		}
	}
	return one
}

// isCompletion says that a shell asks what may be typed.
func isCompletion(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		return arg == cobra.ShellCompRequestCmd || arg == cobra.ShellCompNoDescRequestCmd
	})
}

// completer is one that asks the store.
func (u *ui) completer(complete func(*ui, *cobra.Command, []string, string) ([]string, cobra.ShellCompDirective)) completer {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		return complete(u, c, args, typed)
	}
}

// completeValues lets a shell complete the values of flags, and the arguments that name what is in the store.
func completeValues(u *ui, c *cobra.Command) {
	for name, complete := range map[string]completer{
		"state": oneOfThese(stateNames), "error": oneOfThese(codeNames), "notice": oneOfThese(codeNames),
		"format":      oneOfThese(these(formatNames...)),
		"to":          oneOfThese(write.Extensions),
		"blank-nodes": oneOfThese(these("skolem", "keep")),
		"literals":    oneOfThese(these("canonical", "keep")),
		"log-format":  oneOfThese(these("auto", "text", "json")),
		"what":        oneOfThese(these("raw", "clean", "both", seedlist.ProductRecords, seedlist.ProductArticles)),
		"lacks":       oneOfThese(productNames),
		"product":     oneOfThese(productNames),
		"products":    oneOfThese(productNames),
		"keep-dirty":  oneOfThese(these("all", "failed", "none")),
		"from":        oneOfThese(these("downloading", "unarchiving", "guessing", "parsing")),
		"follow":      oneOfThese(these("alternate", "void", "dcat", "catalogs", "none")),
		"kind":        oneOfThese(kindNames),
		"host":        u.completer(completeHosts),
		"source":      u.completer(completeSources),
		"role":        oneOfThese(these(string(storage.RoleAll), string(storage.RoleAPI), string(storage.RoleWorker))),
		"as":          oneOfThese(formatsOf(c)),
	} {
		if c.LocalNonPersistentFlags().Lookup(name) != nil || c.PersistentFlags().Lookup(name) != nil {
			c.RegisterFlagCompletionFunc(name, complete)
		}
	}
	switch {
	case c.ValidArgsFunction != nil:
	case strings.Contains(c.Use, "HASH|URI"):
		c.ValidArgsFunction = u.completer(completeSeeds)
	case strings.Contains(c.Use, "STAGE|SOURCE"):
		c.ValidArgsFunction = u.completer(completeParts)
	case strings.Contains(c.Use, "HOST|URI"):
		c.ValidArgsFunction = u.completer(completeHosts)
	case strings.Contains(c.Use, "HASH|URL"):
		c.ValidArgsFunction = u.completer(completeCatalogs)
	}
	for _, sub := range c.Commands() {
		completeValues(u, sub)
	}
}

// fromStore completes what is in the store. What can't be read is not completed: there is nobody to tell.
func fromStore(u *ui, c *cobra.Command, ask func(*client.Client) ([]string, error)) ([]string, cobra.ShellCompDirective) {
	api, err := connect(c.Context(), u, toRead)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defer api.Close()
	names, err := ask(api)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeSeeds are the URIs and keys in the store that begin with what was typed.
func completeSeeds(u *ui, c *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	return fromStore(u, c, func(api *client.Client) (names []string, err error) {
		begins, err := api.Begins(c.Context(), typed)
		for _, seed := range begins {
			if seed.URI != "" && strings.HasPrefix(seed.URI, typed) {
				names = append(names, seed.URI)
			} else {
				names = append(names, seed.Hash+"\t"+seed.URI)
			}
		}
		return names, err
	})
}

// completeCatalogs are the URLs and keys of catalogs.
func completeCatalogs(u *ui, c *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	return fromStore(u, c, func(api *client.Client) (names []string, err error) {
		err = api.EachCatalog(c.Context(), func(one seedlist.Catalog) error {
			switch uri := seedlist.Shown(one.URI); {
			case strings.HasPrefix(uri, typed):
				names = append(names, uri)
			case typed != "" && strings.HasPrefix(one.Hash, typed):
				names = append(names, one.Hash+"\t"+uri)
			}
			return nil
		})
		return names, err
	})
}

// mostLookedAt is how many seeds are looked at for hosts and sources that a shell can complete.
const mostLookedAt = 10_000

// completeHosts are hosts with settings of their own, and those of the first seeds.
func completeHosts(u *ui, c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return fromStore(u, c, func(api *client.Client) ([]string, error) { return knownHosts(c.Context(), api) })
}

// knownHosts are hosts with settings of their own, and those of the first seeds.
func knownHosts(ctx context.Context, api *client.Client) ([]string, error) {
	hosts := map[string]bool{}
	var set web.Hosts
	if err := api.Get(ctx, "/hosts", nil, &set); err != nil {
		return nil, err
	}
	for _, use := range set.Hosts {
		hosts[use.Host] = true
	}
	err := api.EachSeed(ctx, "/seeds", nil, mostLookedAt, func(seed seedlist.Seed) error {
		if uri, err := seedlist.ParseURI(seed.URI); err == nil && uri.Host != "" {
			hosts[uri.Host] = true
		}
		return nil
	})
	return slices.Sorted(maps.Keys(hosts)), err
}

// completeSources are those of the first seeds.
func completeSources(u *ui, c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return fromStore(u, c, func(api *client.Client) ([]string, error) {
		sources := map[string]bool{}
		err := api.EachSeed(c.Context(), "/seeds", nil, mostLookedAt, func(seed seedlist.Seed) error {
			if seed.Source != "" {
				sources[seed.Source] = true
			}
			return nil
		})
		return slices.Sorted(maps.Keys(sources)), err
	})
}

// completeParts are the parts of the work that people may pause: stages, and the sources of the first seeds.
func completeParts(u *ui, c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	parts := []string{seedlist.HoldHarvesting}
	for _, stage := range seedlist.Stages() {
		parts = append(parts, string(stage))
	}
	sources, directive := completeSources(u, c, args, typed)
	return append(parts, sources...), directive
}
