package daemon

import (
	"context"
	"io"

	"laundromat/archive"
	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/states"
	"laundromat/states/kind"
	"laundromat/states/recordset"
)

// CellPlaces looks up where cells of records are in their document.
type CellPlaces struct {
	Files files.Blobs
	Temp  string // the folder for what is spooled
	From  int64  // numbers of records, from 1
	To    int64
	Most  int64 // bytes of the document that are read
}

// Find reads a document again, up to the last record that is wanted. The error is of kind Limit where that is too far
// from its beginning.
func (c *CellPlaces) Find(ctx context.Context, seed seedlist.Seed) ([][]recordset.Placed, error) {
	d := &states.Decoded{Kind: kind.Kind(seed.Format), Document: states.Document{
		Name: seed.Hash, FileName: fileName(seed), ContentType: mediaTypeOf(&seed),
	}}
	if p := seed.Product(kind.Records); p != nil && p.Metadata != "" {
		return nil, fault.New("daemon.CellPlaces", fault.Limit, fault.CSVWMetadata,
			"the table was read by metadata, and is not read again for places")
	}
	if d.Kind.Form(kind.Records) == kind.Raw {
		return c.inBytes(ctx, seed, d)
	}
	text, err := OpenText(ctx, c.Files, seed, c.Temp)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	d.Text = &countedText{in: text, left: c.Most}
	return c.find(ctx, d)
}

// placesMemory is what a document may take that is read again for a look.
const placesMemory = 64 << 20

// inBytes finds cells of a workbook, which is no text.
func (c *CellPlaces) inBytes(ctx context.Context, seed seedlist.Seed, d *states.Decoded) ([][]recordset.Placed, error) {
	source, err := OpenDirty(ctx, c.Files, seed, c.Temp)
	if err != nil {
		return nil, err
	}
	defer source.Close()
	said := archive.Said{Name: fileName(seed), Codings: codingsOf(&seed)}
	opened, err := archive.OpenCoded(ctx, source, said, archive.Limits{Temp: c.Temp}, func(fault.Notice) {})
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	raw, err := opened.Reader(ctx)
	if err != nil {
		return nil, err
	}
	defer raw.Close()
	if d.Raw, err = archive.Spool(ctx, &countedText{in: raw, left: c.Most}, c.Temp, states.SpoolMemory); err != nil {
		return nil, err
	}
	defer d.Raw.Close()
	return c.find(ctx, d)
}

func (c *CellPlaces) find(ctx context.Context, d *states.Decoded) ([][]recordset.Placed, error) {
	places := &recordset.Places{From: c.From, To: c.To}
	err := states.Safely(func() error {
		_, err := places.Make(ctx, d, &states.Making{Memory: placesMemory, Temp: c.Temp})
		return err
	})
	return places.Rows, err
}

// countedText reads so many bytes, and no more.
type countedText struct {
	in   io.Reader
	left int64
}

func (c *countedText) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, fault.New("daemon.CellPlaces", fault.Limit, fault.LimitMemory, "it is too far from the beginning of the document to "+
			"be looked up: download the document")
	}
	n, err := c.in.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}
