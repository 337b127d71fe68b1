package main

import (
	"os"
	"path/filepath"

	"laundromat/internal/manual"

	"github.com/spf13/cobra"
)

// manCommand writes the manual pages. They are made of what --help shows, so that both say the same.
func manCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write manual pages of every verb into a folder, for man",
		Long: "Man writes a page for the program and one for each verb into DIR, which is made if need be:\n" +
			"laundromat.1, laundromat-wash.1, laundromat-seed-add.1 and so on. \"man -l DIR/laundromat.1\" shows one;\n" +
			"in a folder named man1 below one of MANPATH they are found by name.",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return err
			}
			n := 0
			err := manual.EachPage(c.Root(), func(page *cobra.Command) error {
				n++
				text := manual.Page(page, "laundromat "+version().release, "Laundromat")
				return os.WriteFile(filepath.Join(args[0], manual.Name(page)+".1"), []byte(text), 0o666)
			})
			if err == nil {
				u.note("%d pages are in %s", n, args[0])
			}
			return err
		},
	}
}
