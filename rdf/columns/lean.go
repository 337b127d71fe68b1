//go:build lean

package columns

import (
	"io"

	"laundromat/internal/fault"
	"laundromat/internal/lean"
	"laundromat/rdf"
)

var errLean = lean.Lacks("Parquet")

// Writer writes nothing: the library is left out.
type Writer struct{}

// NewWriter refuses.
func NewWriter(io.Writer, Options) (*Writer, error) { return nil, errLean }

func (w *Writer) Dataset(string)       {}
func (w *Writer) Rows() int64          { return 0 }
func (w *Writer) Notice(fault.Notice)  {}
func (w *Writer) Lost() error          { return errLean }
func (w *Writer) Quad(*rdf.Quad) error { return errLean }
func (w *Writer) Close() error         { return errLean }

// Available says that tables can't be written.
func Available() error { return errLean }
