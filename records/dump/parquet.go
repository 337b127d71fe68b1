//go:build !lean

package dump

import (
	"fmt"
	"reflect"
	"strconv"
	"unsafe"

	"github.com/parquet-go/parquet-go"

	"laundromat/records"
)

// What a Parquet file is written with. A batch is given to a column at once. A group of rows
// is what a reader takes at once, and what the library holds in memory.
const (
	parquetBatch      = 512
	parquetGroupRows  = 1 << 18
	parquetGroupBytes = 24 << 20 // of values, before they are packed
	parquetDictionary = 1 << 20  // bytes of the different texts of a column
)

// A parquetTable writes Parquet: a column of its own type each, all optional.
type parquetTable struct {
	to      *target
	was     *originals
	columns []*column
	writer  *parquet.GenericWriter[any]
	batches [][]parquet.Value
	rows    int // in the batch
	group   int // rows of the group
	bytes   int // of the group
}

// parquetGroup is the root of a schema with the columns in their order. The type
// [parquet.Group] sorts them by name, and makes a Go type of the names, which not every
// name allows.
type parquetGroup struct {
	parquet.Group
	fields []parquet.Field
}

func (g parquetGroup) Fields() []parquet.Field { return g.fields }
func (g parquetGroup) GoType() reflect.Type    { return reflect.TypeFor[struct{}]() }

type parquetField struct {
	parquet.Node
	name string
}

func (f parquetField) Name() string                           { return f.name }
func (f parquetField) Value(base reflect.Value) reflect.Value { return reflect.Value{} }

func parquetNode(s shape) parquet.Node {
	switch s {
	case shapeInteger:
		return parquet.Int(64)
	case shapeNumber:
		return parquet.Leaf(parquet.DoubleType)
	case shapeBoolean:
		return parquet.Leaf(parquet.BooleanType)
	case shapeDate:
		return parquet.Date()
	case shapeTime:
		return parquet.Timestamp(parquet.Microsecond)
	case shapeJSON:
		return parquet.JSON()
	}
	return parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
}

func openParquet(o *output, t *table) (rowWriter, error) {
	w := &parquetTable{to: o.target, was: o.was, columns: t.columns, batches: make([][]parquet.Value, len(t.columns))}
	root := parquetGroup{Group: parquet.Group{}}
	for _, c := range t.columns {
		node := parquet.Optional(parquetNode(c.shape))
		root.fields = append(root.fields, parquetField{node, c.name})
	}
	w.writer = parquet.NewGenericWriter[any](o.target, parquet.NewSchema(t.name, root), parquet.Compression(&parquet.Snappy),
		parquet.DictionaryMaxBytes(parquetDictionary), parquet.CreatedBy("laundromat", "", ""))
	return w, nil
}

// row puts the values into the batches of their columns.
func (w *parquetTable) row(r *row) error {
	if err := w.was.keep(r); err != nil {
		return err
	}
	for i, c := range w.columns {
		value := parquet.NullValue()
		level := 0
		if i < len(r.cells) && r.cells[i].kind > null {
			var err error
			if value, err = parquetValue(c.shape, &r.cells[i]); err != nil {
				return err
			}
			level = 1
			w.bytes += len(r.cells[i].text) + 8
		}
		w.batches[i] = append(w.batches[i], value.Level(0, level, i))
	}
	if w.rows++; w.rows < parquetBatch && w.bytes < parquetGroupBytes {
		return nil
	}
	return w.flush()
}

// flush gives the batches to their columns, and ends a group that is large.
func (w *parquetTable) flush() error {
	writers := w.writer.ColumnWriters()
	for i, batch := range w.batches {
		if _, err := writers[i].WriteRowValues(batch); err != nil {
			return err
		}
		clear(batch) // the texts may go
		w.batches[i] = batch[:0]
	}
	w.group += w.rows
	w.rows = 0
	if w.group < parquetGroupRows && w.bytes < parquetGroupBytes {
		return nil
	}
	w.group, w.bytes = 0, 0
	return w.writer.Flush()
}

func (w *parquetTable) close() error {
	if err := w.flush(); err != nil {
		return err
	}
	return w.writer.Close()
}

// parquetValue is a cell as a value of its column's type.
func parquetValue(s shape, c *cell) (parquet.Value, error) {
	switch s {
	case shapeInteger:
		n, err := strconv.ParseInt(c.text, 10, 64)
		return parquet.Int64Value(n), err
	case shapeNumber:
		f, err := strconv.ParseFloat(c.text, 64)
		return parquet.DoubleValue(f), err
	case shapeBoolean:
		return parquet.BooleanValue(c.text == "true"), nil
	case shapeDate:
		day, ok := dayOf(c.text)
		return parquet.Int32Value(day), unless(ok, c)
	case shapeTime:
		micros, ok := microsOf(c.text)
		return parquet.Int64Value(micros), unless(ok, c)
	case shapeJSON:
		if c.kind == text {
			return parquet.ByteArrayValue(records.AppendJSONText(nil, c.text)), nil
		}
	}
	return parquet.ByteArrayValue(unsafe.Slice(unsafe.StringData(c.text), len(c.text))), nil
}

func unless(ok bool, c *cell) error {
	if ok {
		return nil
	}
	return fmt.Errorf("%q is not of its column's type", c.text)
}
