package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"laundromat/storage/backup"
)

func backupCommand(u *ui) *cobra.Command {
	var o backup.Options
	c := &cobra.Command{
		Use:   "backup DIR|FILE.tar",
		Short: "Save the seed list and the files, also while the daemon runs",
		Long: "Backup writes the seed list as it is at one moment, a list of the files, and the files into a\n" +
			"new folder, or into one tar file if the name ends in .tar. In a folder on the same disk the\n" +
			"files are hard links: they cost no room, and outlast what the daemon removes or replaces, but\n" +
			"not a broken disk. The list is checked. \"laundromat restore\" brings it back. Exit: 1 if the\n" +
			"list is damaged, or files did not fit it.",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return runBackup(c.Context(), u, args[0], o) },
	}
	c.Flags().BoolVar(&o.Copied, "copy", false, "copy the files, also where links would do")
	c.Flags().BoolVar(&o.NoFiles, "no-files", false, "save the seed list and the list of files alone")
	c.Flags().BoolVar(&o.Secrets, "with-secrets", false, "save also hosts.yaml, with its tokens and passwords")
	return c
}

func runBackup(ctx context.Context, u *ui, to string, o backup.Options) error {
	if _, err := os.Lstat(to); err == nil {
		return usage("%s is there already: a backup is a new folder or file", to)
	}
	api, err := connect(ctx, u, toRead)
	if err != nil {
		return err
	}
	defer api.Close()
	o.Note = u.note
	o.Snapshot = func(ctx context.Context) (io.ReadCloser, error) { return api.Open(ctx, "/snapshot", nil) }
	did, err := backup.Save(ctx, u.dataDir(), to, o)
	if err != nil {
		return err
	}
	switch {
	case u.json:
		err = encodeTo(u.out, did)
	case did.NoFiles:
		_, err = fmt.Fprintf(u.out, "%s: %d seeds; %d files, %d bytes, are listed and not saved\n", did.To, did.Seeds, did.Files, did.Bytes)
	default:
		_, err = fmt.Fprintf(u.out, "%s: %d seeds, %d files (%d of them links), %d bytes\n", did.To, did.Seeds, did.Files, did.Linked,
			did.Bytes)
	}
	if err != nil {
		return err
	}
	if did.Changed > 0 {
		return fmt.Errorf("the files of %d seeds were replaced while they were saved, and do not fit the list: \"laundromat verify\" "+
			"after a restore names them", did.Changed)
	}
	return nil
}
