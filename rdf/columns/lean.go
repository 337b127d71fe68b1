//go:build lean

package columns

import (
	"errors"
	"io"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

var errLean = errors.New("this program was built without Parquet (tag lean)")

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
