package main

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/docker/go-units"
	"github.com/spf13/cobra"

	"laundromat/internal/digest"
	"laundromat/seedlist"
	"laundromat/web"
	"laundromat/web/story"
)

func statsCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "stats",
		Short: "Counts by state, format, error and notice",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			counts, err := countsOf(c.Context(), u)
			if err != nil {
				return err
			}
			if u.json {
				return encodeTo(u.out, counts)
			}
			showPauses(u, counts.Paused)
			if lost := counts.LogLost; lost != nil {
				fmt.Fprintf(u.err, "laundromat: lines of the daemon's log that were lost: %d, the last because of: %s\n", lost.Lines,
					lost.Why)
			}
			if err := showStats(u, counts.Counts); err != nil {
				return err
			}
			return showWaits(u, counts.Waits)
		},
	}
}

// countsOf are those of the whole store.
func countsOf(ctx context.Context, u *ui) (counts web.Stats, err error) {
	api, err := connect(ctx, u, toRead)
	if err != nil {
		return counts, err
	}
	defer api.Close()
	err = api.Get(ctx, "/stats", nil, &counts)
	return counts, err
}

// showPauses says what the daemon does not go on with, and why.
func showPauses(u *ui, pauses []web.Pause) {
	for _, pause := range pauses {
		fmt.Fprintf(u.err, "laundromat: %s is paused since %s: %s\n", pause.Part, pause.Since.Format(time.RFC3339), pause.Message)
	}
}

// showWaits says what can't be worked on now, for which host, and until when.
func showWaits(u *ui, w seedlist.Waits) error {
	for _, text := range waitTexts(w) {
		if _, err := fmt.Fprintf(u.out, "waits       %s\n", text); err != nil {
			return err
		}
	}
	return nil
}

// waitTexts are waits in plain words, the hosts that are named and the rest.
func waitTexts(w seedlist.Waits) (all []string) {
	for _, host := range w.Hosts {
		why := "all its connections are in use"
		switch host.Why {
		case seedlist.HostPaused:
			why = fmt.Sprintf("paused; \"laundromat host resume %s\" goes on", host.Host)
		case seedlist.HostResting:
			why = "until " + host.Until.Format(time.RFC3339)
		}
		all = append(all, fmt.Sprintf("%s for %s: %s", seedsIn(host.Seeds), host.Host, why))
	}
	if more := w.HostsTotal - len(w.Hosts); more > 0 {
		all = append(all, fmt.Sprintf("seeds of %d more hosts", more))
	}
	if w.Later > 0 {
		all = append(all, fmt.Sprintf("%s to be tried again, the first at %s", seedsIn(w.Later), w.Next.Format(time.RFC3339)))
	}
	return all
}

// seedsIn is a number of seeds, which is counted up to a bound.
func seedsIn(n int) string {
	switch {
	case n >= seedlist.MostCounted:
		return fmt.Sprintf("%d or more seeds", n)
	case n == 1:
		return "1 seed"
	}
	return fmt.Sprintf("%d seeds", n)
}

func showStats(u *ui, counts seedlist.Counts) error {
	out := bufio.NewWriter(u.out)
	row := func(group, name string, n int64) {
		fmt.Fprintf(out, "%-11s %-32s %12d\n", group, name, n)
	}
	for _, state := range seedlist.States() {
		n := counts.States[state]
		if state == seedlist.Added { // these two never wait
			n -= counts.Relative + counts.Fragments
		}
		if n > 0 {
			row("state", state.Words(), n)
		}
	}
	row("relative", "never fetched", counts.Relative)
	if counts.Fragments > 0 {
		row("fragments", "of documents among these", counts.Fragments)
	}
	row("served", "have a clean file", counts.Washed)
	row("refreshed", "are being fetched again", counts.Refreshed)
	for name, n := range sorted(counts.Formats) {
		row("format", name, n)
	}
	for code, n := range sorted(counts.Errors) {
		row("error", string(code), n)
	}
	for code, found := range sortedBy(counts.Notices, func(f seedlist.Found) int64 { return f.Times }) {
		row("notice", string(code), found.Times)
	}
	s := counts.Statements
	fmt.Fprintf(out, "statements  %d read = %d kept + %d repaired + %d dropped; %d duplicates; %d written\n",
		s.Read, s.Kept, s.Repaired, s.Dropped, s.Duplicates, s.Written)
	fmt.Fprintf(out, "clean       %d files, %d lines, %s\n", counts.Clean.Files, counts.Clean.Lines,
		units.BytesSize(float64(counts.Clean.Bytes)))
	return out.Flush()
}

func datasetsCommand(u *ui) *cobra.Command {
	var f listFlags
	var order string
	c := &cobra.Command{
		Use:   "datasets",
		Short: "The washed documents, filtered and sorted",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			key, ok := datasetOrders[strings.ToLower(strings.TrimSpace(order))]
			if !ok {
				return oneOf("sort", order, "statements", "bytes", "notices", "dropped", "uri")
			}
			api, query, err := connectFiltered(c.Context(), u, toRead, &f)
			if err != nil {
				return err
			}
			defer api.Close()
			seeds, err := api.Datasets(c.Context(), query)
			if err != nil {
				return err
			}
			slices.SortStableFunc(seeds, key)
			if f.limit > 0 && f.limit < len(seeds) {
				seeds = seeds[:f.limit]
			}
			return showDatasets(u, seeds)
		},
	}
	f.add(c)
	c.Flags().StringVar(&order, "sort", "uri", "statements, bytes, notices, dropped (largest first) or uri")
	return c
}

// datasetOrders are the orders of datasets --sort.
var datasetOrders = map[string]func(a, b seedlist.Seed) int{
	"uri":        func(a, b seedlist.Seed) int { return compare(story.NameOf(a), story.NameOf(b)) },
	"statements": func(a, b seedlist.Seed) int { return compare(statements(b).Written, statements(a).Written) },
	"dropped":    func(a, b seedlist.Seed) int { return compare(statements(b).Dropped, statements(a).Dropped) },
	"bytes":      func(a, b seedlist.Seed) int { return compare(bytesOf(b), bytesOf(a)) },
	"notices":    func(a, b seedlist.Seed) int { return compare(noticesOf(b), noticesOf(a)) },
}

func compare[T int64 | string](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func statements(seed seedlist.Seed) digest.Statements {
	if seed.Statements == nil {
		return digest.Statements{}
	}
	return *seed.Statements
}

func bytesOf(seed seedlist.Seed) int64 {
	if seed.Content == nil {
		return 0
	}
	return seed.Content.NumberOfBytes
}

func noticesOf(seed seedlist.Seed) (n int64) {
	for _, times := range seed.Notices {
		n += times
	}
	return n
}

func showDatasets(u *ui, seeds []seedlist.Seed) error {
	out := bufio.NewWriter(u.out)
	if !u.json {
		fmt.Fprintf(out, "%-32s %-10s %10s %9s %9s  %s\n", "hash", "format", "statements", "dropped", "notices", "uri")
	}
	for _, seed := range seeds {
		if u.json {
			if err := encodeTo(out, seed); err != nil {
				return err
			}
			continue
		}
		s := statements(seed)
		failed := ""
		if behind := seed.Behind(); behind != "" {
			failed = "  (" + behind + ")"
		}
		fmt.Fprintf(out, "%-32s %-10s %10d %9d %9d  %s%s\n", seed.Hash, seed.Format, s.Written, s.Dropped, noticesOf(seed),
			story.NameOf(seed), failed)
	}
	return out.Flush()
}
