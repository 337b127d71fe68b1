// Package lean holds what the build tag "lean" changes. It leaves out Parquet, SQLite, expressions (CEL), seed lists in
// PostgreSQL and files in a bucket. A first wash needs none of them, and they take half of the build.
package lean

import "fmt"

// Lacks is the error of a part that this program was built without.
func Lacks(part string) error {
	return fmt.Errorf("this program was built without %s (tag lean); \"go build ./cmd/laundromat\" builds one that has it", part)
}
