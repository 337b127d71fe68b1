package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/storage/salvage"
)

func salvageCommand(u *ui) *cobra.Command {
	var seedFiles []string
	var o salvage.Options
	c := &cobra.Command{
		Use:   "salvage",
		Short: "Make a new seed list of what can be read of a damaged one, and of the files",
		Long: "Salvage reads every page of the seed list that can be read, and looks at the files. It makes a\n" +
			"new list of that, with all indices and counts made anew, and puts it in the place of the old\n" +
			"one, which is kept as seeds.db.damaged. A seed whose record is lost begins again if the log or\n" +
			"--seeds names its URI; a clean file has its seed again. Losses are reported, one line each.\n" +
			"No daemon may run. Exit: 1 if something was lost.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runSalvage(c.Context(), u, seedFiles, o) },
	}
	c.Flags().StringArrayVar(&seedFiles, "seeds", nil, "URIs that may have been in the list, a line each (- for standard input): what "+
		"is lost of these is found by its files, or fetched again")
	c.Flags().BoolVarP(&o.DryRun, "dry-run", "n", false, "only report the expected gains and losses")
	return c
}

func runSalvage(ctx context.Context, u *ui, seedFiles []string, o salvage.Options) (err error) {
	if o.URIs, err = urisByHash(u, seedFiles); err != nil {
		return err
	}
	o.Lost = func(l bolt.Lost) error { return showLost(u, l) }
	result, err := salvage.Run(ctx, u.dataDir(), o)
	if err != nil {
		return err
	}
	return showSalvaged(u, &result, o.DryRun)
}

// urisByHash reads files of URIs.
func urisByHash(u *ui, names []string) (map[string]string, error) {
	uris := map[string]string{}
	for _, name := range names {
		err := readSeedFile(u, name, func(uri string) error {
			if u, err := seedlist.ParseURI(uri); err == nil {
				uris[u.Hash()] = u.Given
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("--seeds: %w", err)
		}
	}
	return uris, nil
}

// showLost tells of one seed or catalog that is lost.
func showLost(u *ui, l bolt.Lost) error {
	if u.json {
		return encodeTo(u.out, l)
	}
	name := l.Hash
	if name == "" {
		name = fmt.Sprintf("number %d", l.Number)
	}
	_, err := fmt.Fprintf(u.out, "%s %s is lost: %s\n", l.What, name, l.Why)
	return err
}

func showSalvaged(u *ui, r *salvage.Salvaged, dryRun bool) error {
	if u.json {
		if err := encodeTo(u.out, r); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(u.out, "%d seeds: %d whole, %d with a state that was derived, %d that are fetched again, %d made of their files; "+
			"%d lost\n",
			r.Seeds, r.Whole, r.Restated, r.Refetched, r.FromFiles, r.Lost)
		fmt.Fprintf(u.out, "%d attempts, %d lost; %d catalogs, %d lost; %d hashes with files that no record names\n",
			r.Attempts, r.LostAttempts, r.Catalogs, r.LostCatalogs, r.NoRecord)
		switch {
		case dryRun:
			fmt.Fprintln(u.out, "nothing was changed")
		case r.Old != "":
			fmt.Fprintf(u.out, "the old list is kept as %s; \"laundromat verify\" holds the new one against the files\n", r.Old)
		}
	}
	if r.Lost+r.LostCatalogs+r.LostAttempts > 0 {
		return exit(exitFailed, nil)
	}
	return nil
}
