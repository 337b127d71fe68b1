package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/web"
	"laundromat/web/client"
	"laundromat/web/story"
)

func noticesCommand(u *ui) *cobra.Command {
	samples := 3
	var f listFlags
	c := &cobra.Command{
		Use:     "notices [HASH|URI]",
		Aliases: []string{"errors"},
		Short:   "The findings by code, with samples",
		Long: "Notices lists the codes of what was found wrong: in the whole store, in what the filters let through\n" +
			"(with the errors that ended the work on it), or, with samples, in the one document that is named.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if samples < 1 {
				return usage("--samples is 1 or more, not %d", samples)
			}
			if len(args) == 0 {
				if err := refuseIdle(c, "without a HASH or URI", "samples"); err != nil {
					return err
				}
				return allNotices(c.Context(), u, &f)
			}
			if err := refuseIdle(c, "beside a seed that is named", append(filterFlags, "limit")...); err != nil {
				return err
			}
			return withSeed(c.Context(), u, args[0], func(api *client.Client, seed seedlist.Seed) error {
				return seedNotices(c.Context(), u, api, seed, samples)
			})
		},
	}
	f.add(c)
	c.Flags().IntVar(&samples, "samples", samples, "how many of each code to show")
	return c
}

// allNotices lists the codes of the whole store, or of what the filters let through: notices by how
// often, then errors.
func allNotices(ctx context.Context, u *ui, f *listFlags) error {
	var counts web.Stats
	var err error
	if f.isSet() || f.limit > 0 {
		counts.Counts, err = countFiltered(ctx, u, f)
	} else {
		counts, err = countsOf(ctx, u)
	}
	if err != nil {
		return err
	}
	if u.json {
		for code, found := range story.LargestBy(counts.Notices, func(f seedlist.Found) int64 { return f.Times }) {
			if err := encodeTo(u.out, map[string]any{"code": code, "count": found.Times, "seeds": found.Seeds}); err != nil {
				return err
			}
		}
		for code, n := range story.Largest(counts.Errors) {
			if err := encodeTo(u.out, map[string]any{"code": code, "severity": "error", "seeds": n}); err != nil {
				return err
			}
		}
		return nil
	}
	fmt.Fprintf(u.out, "%-36s %-8s %12s %10s  %s\n", "code", "usually", "count", "seeds", "what it is")
	for code, found := range story.LargestBy(counts.Notices, func(f seedlist.Found) int64 { return f.Times }) {
		info, _ := fault.Explain(code)
		fmt.Fprintf(u.out, "%-36s %-8s %12d %10d  %s\n", code, info.Severity, found.Times, found.Seeds, info.Title)
	}
	for code, n := range story.Largest(counts.Errors) {
		info, _ := fault.Explain(code)
		fmt.Fprintf(u.out, "%-36s %-8s %12s %10d  %s\n", code, "error", "", n, info.Title)
	}
	return nil
}

// countFiltered counts the notices and errors of what the filters let through.
func countFiltered(ctx context.Context, u *ui, f *listFlags) (counts seedlist.Counts, err error) {
	counts.Notices, counts.Errors = map[fault.Code]seedlist.Found{}, map[fault.Code]int64{}
	api, query, err := connectFiltered(ctx, u, toRead, f)
	if err != nil {
		return counts, err
	}
	defer api.Close()
	err = api.EachSeed(ctx, "/seeds", query, f.limit, func(seed seedlist.Seed) error {
		if seed.Document != "" {
			return nil // what is said of it is that of its document
		}
		for code, n := range seed.Notices {
			found := counts.Notices[code]
			counts.Notices[code] = seedlist.Found{Seeds: found.Seeds + 1, Times: found.Times + n}
		}
		if seed.Error != nil {
			counts.Errors[seed.Error.Code]++
		}
		return nil
	})
	return counts, err
}

func seedNotices(ctx context.Context, u *ui, api *client.Client, seed seedlist.Seed, each int) error {
	var samples []web.NoticeLine
	if len(seed.Notices) > 0 {
		var err error
		if samples, err = api.Samples(ctx, seed.Hash, each); err != nil {
			return err
		}
	}
	if u.json {
		for _, sample := range samples {
			if err := encodeTo(u.out, sample); err != nil {
				return err
			}
		}
		return nil
	}
	name := story.NameOf(seed)
	for code, n := range story.Largest(seed.Notices) {
		info, _ := fault.Explain(code)
		fmt.Fprintf(u.out, "%d × %s: %s\n", n, code, info.Title)
		for _, s := range samples {
			if s.Code != code {
				continue
			}
			fmt.Fprintf(u.out, "  %s:%d:%d: %s: %s\n", name, s.Line, s.Column, s.Severity, s.Message)
			if s.Excerpt != "" {
				fmt.Fprintf(u.out, "    %s\n", s.Excerpt)
			}
		}
	}
	if seed.Error != nil {
		fmt.Fprintf(u.out, "%s ended with %s: %s\n", seed.Error.Stage, seed.Error.Code, seed.Error.Message)
	}
	return nil
}
