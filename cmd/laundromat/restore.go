package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"laundromat/storage"
	"laundromat/storage/backup"
	"laundromat/web"
	"laundromat/web/client"
)

func restoreCommand(u *ui) *cobra.Command {
	var o backup.RestoreOptions
	var noVerify bool
	c := &cobra.Command{
		Use:   "restore DIR|FILE.tar",
		Short: "Bring back a backup",
		Long: "Restore checks the seed list of a backup, brings its files and then the list into the data folder,\n" +
			"and holds the one against the others as \"laundromat verify\" does. A list that is there is only\n" +
			"replaced with --replace, and kept as seeds.db.replaced. No daemon may run. Exit: 1 if the backup is\n" +
			"damaged, or something is missing.",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			did, err := backup.Restore(c.Context(), u.dataDir(), args[0], o)
			if err != nil {
				return err
			}
			return showRestored(c.Context(), u, did, noVerify)
		},
	}
	c.Flags().BoolVar(&o.Replace, "replace", false, "replace the seed list that is there")
	c.Flags().BoolVar(&o.Copied, "copy", false, "copy the files, also where links would do")
	c.Flags().BoolVar(&noVerify, "no-verify", false, "do not hold the list against the files at the end, which reads them all")
	return c
}

// showRestored tells what was done, and what verify finds.
func showRestored(ctx context.Context, u *ui, did backup.Restored, noVerify bool) error {
	if u.json {
		if err := encodeTo(u.out, did); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(u.out, "%d files restored, %d bytes; %d that the backup names are not in it\n", did.Files, did.Bytes, did.Missing)
		if did.Old != "" {
			fmt.Fprintf(u.out, "the list that was there is kept as %s\n", did.Old)
		}
	}
	if noVerify {
		if did.Missing > 0 {
			return exit(exitFailed, nil)
		}
		return nil
	}
	folder, err := storage.Open(u.dataDir())
	if err != nil {
		return err
	}
	api := client.InProcess(web.New(apiOf(folder, true)), folder.Close)
	defer api.Close()
	stream, err := api.Open(ctx, "/verify", nil)
	if err != nil {
		return err
	}
	defer stream.Close()
	return showVerified(u, stream)
}
