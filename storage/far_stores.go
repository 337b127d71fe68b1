//go:build !lean

package storage

import (
	"laundromat/internal/files/bucket"
	"laundromat/seedlist/postgres"
)

// The parts of the program that know PostgreSQL and buckets, which a lean program lacks: see far_stores_lean.go.

type (
	// databaseList is a seed list in PostgreSQL.
	databaseList = postgres.Store
	// BucketAddress is where a store of files lies.
	BucketAddress = bucket.Address
)

var (
	openDatabase     = postgres.Open
	OpenDatabaseCopy = postgres.OpenCopy
	// DatabaseSchema is the text that makes the tables.
	DatabaseSchema = postgres.Schema
	// ShownDatabase is an address without its password.
	ShownDatabase = postgres.Shown

	OpenBucket         = bucket.Open
	ParseBucketAddress = bucket.ParseAddress
)
