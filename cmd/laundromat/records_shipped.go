package main

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"laundromat/records/shipped"
	"laundromat/records/spec"
)

func recordsSchemaCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "The JSON Schema of specs, for editors",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := u.out.Write(spec.Schema)
			return err
		},
	}
}

func recordsShippedCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "shipped [NAME DIR]",
		Short: "Specs to begin with: their list, or one with its fixtures into a folder",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 0 && len(args) != 2 {
				return errors.New("shipped takes nothing, or NAME and DIR")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listShipped(u)
			}
			return copyShipped(u, args[0], args[1])
		},
	}
}

// listShipped lists the specs with the first line of each, which says what it is for.
func listShipped(u *ui) error {
	for _, name := range shipped.Names() {
		text, err := shipped.Files.ReadFile(name + "/spec.yaml")
		if err != nil {
			return err
		}
		first, _, _ := bytes.Cut(text, []byte{'\n'})
		fmt.Fprintf(u.out, "%-10s  %s\n", name, bytes.TrimPrefix(first, []byte("# ")))
	}
	return nil
}

// copyShipped writes the files of a spec into a folder. It overwrites none.
func copyShipped(u *ui, name, folder string) error {
	err := shipped.Copy(name, folder)
	if errors.Is(err, shipped.ErrUnknown) {
		return usage("there is no shipped spec %q%s", name, spec.Meant(name, shipped.Names()...))
	}
	if err != nil {
		return err
	}
	if !u.quiet {
		fmt.Fprintln(u.err, filepath.Join(folder, "spec.yaml"))
	}
	return nil
}
