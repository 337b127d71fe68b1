package main

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"

	"laundromat/seedlist"
	"laundromat/seedlist/memory"
	"laundromat/seedlist/storetest"
)

const (
	// washedTenths is how many of ten seeds are washed, or fail.
	washedTenths = 7
	// pattern is how many seeds live their lives, in memory. All others are copies of them, with numbers, URIs,
	// hosts and clean files of their own.
	pattern = 10_000
	// rowsAtOnce is how many rows one transaction writes.
	rowsAtOnce = 5_000
)

// fill makes seeds, about as many as are asked for.
func fill(ctx context.Context, list seedlist.RowTarget, seeds int) error {
	if seeds == 0 {
		return nil
	}
	lived := memory.New(options)
	defer lived.Close()
	if err := storetest.AddMany(ctx, &claimed{seedList: lived}, min(seeds, pattern), washedTenths); err != nil {
		return err
	}
	c := copier{to: list, copies: max(1, seeds/pattern)}
	for _, part := range seedlist.Parts() {
		err := seedlist.EachRows(ctx, lived, part, seedlist.Place{}, func(rows []seedlist.Row) error {
			for i := range rows {
				rows[i].Data = bytes.Clone(rows[i].Data)
			}
			c.add(part, rows)
			return nil
		})
		if err == nil {
			err = c.write(ctx, part)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", part, err)
		}
	}
	return nil
}

// copier writes the rows of a list several times.
type copier struct {
	to     seedlist.RowTarget
	copies int
	rows   []seedlist.Row    // of the part at hand
	uris   map[string]string // of documents, by their hashes
	// seeds are the numbers of the documents, and numbers and attempts the last that the list gave.
	seeds             []uint64
	numbers, attempts uint64
	waiting           []seedlist.Row
}

// add takes rows of a part.
func (c *copier) add(part seedlist.Part, rows []seedlist.Row) {
	for i := range rows {
		switch r := &rows[i]; part {
		case seedlist.PartSeeds:
			c.numbers = max(c.numbers, r.Number)
			if stored, err := seedlist.DecodeStored(r.Data); err == nil && stored.URI != "" {
				if c.uris == nil {
					c.uris = map[string]string{}
				}
				c.uris[r.Hash] = stored.URI
				c.seeds = append(c.seeds, r.Number)
			}
		case seedlist.PartAttempts:
			c.attempts = max(c.attempts, r.Number)
		}
	}
	c.rows = append(c.rows, rows...)
}

// write writes all rows of a part, and their copies.
func (c *copier) write(ctx context.Context, part seedlist.Part) error {
	switch part {
	case seedlist.PartCatalogs:
		return c.writeCatalogs(ctx)
	case seedlist.PartListings:
		return c.writeListings(ctx)
	}
	for n := range c.copies {
		if n > 0 && !slices.Contains([]seedlist.Part{seedlist.PartSeeds, seedlist.PartLinks, seedlist.PartAttempts}, part) {
			break
		}
		for _, r := range c.rows {
			if err := c.put(ctx, part, c.copied(part, r, n)); err != nil {
				return err
			}
		}
	}
	c.rows = nil
	return c.flush(ctx, part)
}

func (c *copier) put(ctx context.Context, part seedlist.Part, row seedlist.Row) error {
	if c.waiting = append(c.waiting, row); len(c.waiting) < rowsAtOnce {
		return nil
	}
	return c.flush(ctx, part)
}

func (c *copier) flush(ctx context.Context, part seedlist.Part) error {
	err := c.to.PutRows(ctx, part, c.waiting)
	c.waiting = nil
	return err
}

// copied is the n-th copy of a row; the first is the row.
func (c *copier) copied(part seedlist.Part, r seedlist.Row, n int) seedlist.Row {
	switch {
	case part == seedlist.PartSums:
		last := map[string]uint64{
			seedlist.SumNumbers: c.numbers*uint64(c.copies) + catalogs, seedlist.SumAttempts: c.attempts * uint64(c.copies),
		}
		if n, ok := last[r.Name]; ok {
			r.Sums[0] = int64(n)
		}
		return r
	case part == seedlist.PartWashed:
		for i := range r.Sums {
			r.Sums[i] *= int64(c.copies)
		}
		return r
	case n == 0:
		return r
	case part == seedlist.PartAttempts:
		r.Number += uint64(n) * c.attempts
	default:
		r.Number += uint64(n) * c.numbers
	}
	if r.Other > 0 {
		r.Other += uint64(n) * c.numbers
	}
	r.Hash = c.hash(r.Hash, n)
	if r.Moves.Host != "" {
		r.Moves.Host = hostMark(n) + r.Moves.Host
	}
	r.Data = hashes.ReplaceAllFunc(r.Data, func(quoted []byte) []byte {
		return []byte(`"` + c.hash(string(quoted[1:len(quoted)-1]), n) + `"`)
	})
	r.Data = bytes.ReplaceAll(r.Data, []byte(hostBegin), []byte("http://"+hostMark(n)+"host"))
	return r
}

// hostBegin is what the URIs of documents begin with; those of licences do not.
const hostBegin = "http://host"

func hostMark(n int) string { return fmt.Sprintf("copy%d.", n) }

// hashes are the hashes in records.
var hashes = regexp.MustCompile(`"[0-9a-f]{32}"`)

// hash is that of the n-th copy: of a document the key of its URI, of a clean file another that is alike.
func (c *copier) hash(of string, n int) string {
	if uri, ok := c.uris[of]; ok {
		return seedlist.Key("http://" + hostMark(n) + uri[len("http://"):])
	}
	if of == "" {
		return ""
	}
	sum := md5.Sum([]byte(fmt.Sprint(of, n)))
	return hex.EncodeToString(sum[:])
}

// catalogs is how many there are. Each document is in one of them.
const catalogs = 40

func catalogURI(n int) string { return fmt.Sprintf("http://catalog%d.example/void.ttl", n) }

// catalogNumber is the number of a catalog, behind those of all seeds.
func (c *copier) catalogNumber(n int) uint64 { return c.numbers*uint64(c.copies) + uint64(n) + 1 }

func (c *copier) writeCatalogs(ctx context.Context) error {
	for n := range catalogs {
		uri := catalogURI(n)
		known := seedlist.Catalog{Hash: seedlist.Key(uri), URI: uri, Status: seedlist.CatalogResting, Fence: 1}
		data, err := known.Encode()
		if err != nil {
			return err
		}
		row := seedlist.Row{Place: seedlist.Place{Number: c.catalogNumber(n)}, Hash: known.Hash, Data: data}
		if err := c.put(ctx, seedlist.PartCatalogs, row); err != nil {
			return err
		}
	}
	return c.flush(ctx, seedlist.PartCatalogs)
}

func (c *copier) writeListings(ctx context.Context) error {
	for n := range catalogs {
		for copied := range uint64(c.copies) {
			for i := n; i < len(c.seeds); i += catalogs {
				place := seedlist.Place{Number: c.catalogNumber(n), Other: c.seeds[i] + copied*c.numbers}
				if err := c.put(ctx, seedlist.PartListings, seedlist.Row{Place: place, Sums: [3]int64{1}}); err != nil {
					return err
				}
			}
		}
	}
	return c.flush(ctx, seedlist.PartListings)
}
