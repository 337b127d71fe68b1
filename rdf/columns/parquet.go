//go:build !lean

package columns

import (
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

const (
	batchRows = 512
	// mostDistinct is how many bytes the different texts of a column may have before they are written as they come.
	mostDistinct = 4 << 20
)

// Writer is an [rdf.Sink] that writes a table. It ends with Close. A finding that says that a statement is
// lost ends it with an error: the input is no clean file.
type Writer struct {
	options Options
	writer  *parquet.GenericWriter[any]
	name    []byte // of the dataset
	batches [columnCount][]parquet.Value
	text    []byte // of the batch's values
	inBatch int
	inGroup int64 // bytes
	rows    int64
	lost    error
}

// NewWriter begins a table.
func NewWriter(w io.Writer, options Options) (*Writer, error) {
	if options.GroupBytes <= 0 {
		options.GroupBytes = GroupBytes
	}
	root := group{Group: parquet.Group{}}
	for i, name := range columnNames {
		node := parquet.Node(parquet.Encoded(parquet.String(), &parquet.RLEDictionary))
		if isOptional[i] {
			node = parquet.Optional(node)
		}
		root.fields = append(root.fields, field{node, name})
	}
	return &Writer{
		options: options,
		writer: parquet.NewGenericWriter[any](w, parquet.NewSchema("statements", root), parquet.Compression(&parquet.Zstd),
			parquet.DictionaryMaxBytes(mostDistinct), parquet.CreatedBy(options.Creator, "", "")),
	}, nil
}

// group is the root of the schema, with the columns in their order: [parquet.Group] sorts them by name.
type group struct {
	parquet.Group
	fields []parquet.Field
}

func (g group) Fields() []parquet.Field { return g.fields }
func (g group) GoType() reflect.Type    { return reflect.TypeFor[struct{}]() }

type field struct {
	parquet.Node
	name string
}

func (f field) Name() string                      { return f.name }
func (f field) Value(reflect.Value) reflect.Value { return reflect.Value{} }

// Dataset says what the statements that follow are of.
func (w *Writer) Dataset(name string) { w.name = []byte(name) }

// Rows is how many statements were written.
func (w *Writer) Rows() int64 { return w.rows }

// Notice takes a finding. The first repair or loss makes the file unclean. See [rdf.Sink].
func (w *Writer) Notice(n fault.Notice) {
	if n.Severity >= fault.Repair && w.lost == nil {
		w.lost = fmt.Errorf("line %d: %s: %s", n.Pos.Line, n.Code, n.Message)
	}
}

// Lost is the first loss or repair in what was read, as an error. It is nil if there is none.
func (w *Writer) Lost() error { return w.lost }

// Quad writes a statement.
func (w *Writer) Quad(q *rdf.Quad) error {
	if w.lost != nil {
		return w.lost
	}
	var r row
	var scratch [256]byte
	r.set(w.name, q, scratch[:0])
	for i, text := range r {
		value := parquet.NullValue()
		level := 0
		if text != nil {
			// The text dies with the quad, so it is copied. What was copied before stays when the buffer grows.
			from := len(w.text)
			w.text = append(w.text, text...)
			value = parquet.ByteArrayValue(w.text[from:len(w.text):len(w.text)])
			w.inGroup += int64(len(text)) + 4
			if isOptional[i] {
				level = 1
			}
		}
		w.batches[i] = append(w.batches[i], value.Level(0, level, i))
	}
	w.rows++
	if w.inBatch++; w.inBatch < batchRows {
		return nil
	}
	return w.flush()
}

// flush gives the batch to the columns, and ends a group that is large.
func (w *Writer) flush() error {
	columns := w.writer.ColumnWriters()
	for i := range w.batches {
		if _, err := columns[i].WriteRowValues(w.batches[i]); err != nil {
			return err
		}
		w.batches[i] = w.batches[i][:0]
	}
	w.text, w.inBatch = w.text[:0], 0
	if w.inGroup < w.options.GroupBytes {
		return nil
	}
	w.inGroup = 0
	return w.writer.Flush()
}

// Close completes the table. It does not close what it is written to.
func (w *Writer) Close() error {
	return errors.Join(w.flush(), w.writer.Close())
}

// Available says that tables can be written.
func Available() error { return nil }
