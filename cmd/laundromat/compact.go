package main

import (
	"fmt"

	"github.com/docker/go-units"
	"github.com/spf13/cobra"

	"laundromat/web"
)

func compactCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "compact",
		Short: "Copy the seed list into a file without the room that was left, also while the daemon runs",
		Long: "Compact copies seeds.db, which grows and never shrinks by itself, and goes on with the copy once that\n" +
			"is whole. The daemon goes on to read and to work meanwhile; what it has to write waits. There must be\n" +
			"room on the disk for the copy. A kill leaves the old list or the new one.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			api, err := connect(c.Context(), u, toChange)
			if err != nil {
				return err
			}
			defer api.Close()
			var done web.Compacted
			if err := api.Post(c.Context(), "/compact", nil, &done); err != nil {
				return err
			}
			if u.json {
				return encodeTo(u.out, done)
			}
			_, err = fmt.Fprintf(u.out, "the seed list: %s before, %s after\n", units.BytesSize(float64(done.Before)),
				units.BytesSize(float64(done.After)))
			return err
		},
	}
}
