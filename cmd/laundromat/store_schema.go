package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"laundromat/storage"
)

// storeCommand is about a seed list that is in a database.
func storeCommand(u *ui) *cobra.Command {
	return group("store", "Where the seed list and the files are: see serve --store and --blobs", "migrate or schema", migrateCommand(u),
		&cobra.Command{
			Use:   "schema",
			Short: "Print the SQL that makes the tables",
			Long: "Schema prints the SQL by which \"laundromat serve --store\" makes the tables of an empty schema. Who may not\n" +
				"give the program the right to make tables runs it beforehand: psql -f -.",
			Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error {
				_, err := fmt.Fprint(u.out, storage.DatabaseSchema())
				return err
			},
		})
}
