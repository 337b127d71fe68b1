package csvw

import (
	"context"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/datapackage"
)

// Description is what metadata says of a table.
type Description struct {
	// Where is the URL of the metadata document.
	Where string
	// IsUsual says that it was found in a place of the site or of the standard, and nobody had named it.
	IsUsual bool
	// Resource is the table as the descriptor of a Data Package has it; nil where the metadata is no such.
	Resource *datapackage.Resource
}

// Describe finds the metadata of a table, whose text is not read. It is nil where there is none.
func (c *Converter) Describe(ctx context.Context, in *Resource) (*Description, error) {
	group, err := c.locate(ctx, in)
	if err != nil || group == nil {
		return nil, err
	}
	d := &Description{Where: group.where, IsUsual: group.isUsual}
	if p := group.Tables[0].packaged; p != nil {
		d.Resource = p.of
	}
	return d, nil
}

// Encoding is that which the metadata says the table has; "" where it says none.
func (d *Description) Encoding() string {
	if d == nil || d.Resource == nil {
		return ""
	}
	return d.Resource.Encoding
}

// Records makes the records of a table that metadata describes: each row is one, with a field for each column that has
// a value, under the name of the column. Numbers and booleans are such, other values texts in the lexical form of
// their datatype, and those of a column with a separator a list. Options.Records takes them. An error of that is a
// *records.SinkError.
func (c *Converter) Records(ctx context.Context, in *Resource) (records.Counts, error) {
	group, err := c.find(ctx, in)
	if err == nil && group == nil {
		err = fault.New("csvw", fault.Data, fault.CSVWMetadata, "no metadata describes the table %s", in.place())
	}
	if err != nil {
		return records.Counts{}, err
	}
	c.opt.Standard = false
	group.rename(in)
	err = c.convert(ctx, group, in, nil)
	return records.Counts{Read: c.rows, Kept: c.rows, Written: c.rows}, err
}
