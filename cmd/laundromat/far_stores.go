//go:build !lean

package main

import (
	"laundromat/internal/files/bucket"
	"laundromat/seedlist/postgres"
)

// The parts of the program that know PostgreSQL and buckets, which a lean program lacks: see far_stores_lean.go.

type (
	// databaseList is a seed list in PostgreSQL.
	databaseList = postgres.Store
	// bucketAddress is where a store of files lies.
	bucketAddress = bucket.Address
)

var (
	openDatabase     = postgres.Open
	openDatabaseCopy = postgres.OpenCopy
	// databaseSchema is the text that makes the tables.
	databaseSchema = postgres.Schema
	// shownDatabase is an address without its password.
	shownDatabase = postgres.Shown

	openBucket         = bucket.Open
	parseBucketAddress = bucket.ParseAddress
)
