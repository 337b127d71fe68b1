//go:build lean

package job

import (
	"io"

	"laundromat/internal/lean"
	"laundromat/text"
)

type table struct{}

func newTable(io.Writer) (*table, error)           { return nil, Available("parquet") }
func appendRow(dst []byte, _ *text.Article) []byte { return dst }
func (t *table) row([]byte) error                  { return Available("parquet") }
func (t *table) close() error                      { return Available("parquet") }

// Available says whether a format can be written: Parquet can't, since its library is left out.
func Available(format string) error {
	if format == "parquet" {
		return lean.Lacks("Parquet")
	}
	return nil
}
