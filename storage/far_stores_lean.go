//go:build lean

package storage

import (
	"context"

	"laundromat/internal/lean"
	"laundromat/internal/ordered"
	"laundromat/seedlist"
)

// databaseList is a seed list in PostgreSQL, which a lean program can't open.
type databaseList struct{ seedlist.RowTarget }

func (*databaseList) Tables([]string) ordered.Tables { return nil }

func openDatabase(context.Context, string, seedlist.Options) (*databaseList, error) {
	return nil, &Misuse{lean.Lacks("PostgreSQL")}
}

func OpenDatabaseCopy(ctx context.Context, address string, o seedlist.Options) (*databaseList, error) {
	return openDatabase(ctx, address, o)
}

// DatabaseSchema is that of no database.
func DatabaseSchema() string { return "-- " + lean.Lacks("PostgreSQL").Error() + "\n" }

// ShownDatabase hides the whole address: a lean program doesn't know where its password is.
func ShownDatabase(string) string { return "the address of the database" }

// BucketAddress is where a store of files lies; a lean program can't read one.
type BucketAddress struct{}

func (BucketAddress) String() string { return "a bucket" }

func OpenBucket(context.Context, BucketAddress, string) (Files, error) {
	return nil, &Misuse{lean.Lacks("buckets")}
}

func ParseBucketAddress(string) (BucketAddress, error) { return BucketAddress{}, lean.Lacks("buckets") }
