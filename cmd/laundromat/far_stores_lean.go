//go:build lean

package main

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
	return nil, exit(exitUsage, lean.Lacks("PostgreSQL"))
}

func openDatabaseCopy(ctx context.Context, address string, o seedlist.Options) (*databaseList, error) {
	return openDatabase(ctx, address, o)
}

// databaseSchema is that of no database.
func databaseSchema() string { return "-- " + lean.Lacks("PostgreSQL").Error() + "\n" }

// shownDatabase hides the whole address: a lean program doesn't know where its password is.
func shownDatabase(string) string { return "the address of the database" }

// bucketAddress is where a store of files lies; a lean program can't read one.
type bucketAddress struct{}

func (bucketAddress) String() string { return "a bucket" }

func openBucket(context.Context, bucketAddress, string) (blobStore, error) {
	return nil, exit(exitUsage, lean.Lacks("buckets"))
}

func parseBucketAddress(string) (bucketAddress, error) { return bucketAddress{}, lean.Lacks("buckets") }
