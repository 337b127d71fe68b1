//go:build lean

package dump

import "laundromat/internal/lean"

func openParquet(*output, *table) (rowWriter, error) { return nil, lean.Lacks("parquet") }
func openSQLite(*output, *table) (rowWriter, error)  { return nil, lean.Lacks("sqlite") }
