package schema

import (
	"bufio"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"

	"laundromat/internal/fault"
	"laundromat/records"
)

// held are the records that wait until the whole table is known: from the first that refers
// to a record that has not come yet. Their order stays. What is beyond the memory allowed
// goes to disk.
type held struct {
	memory  int64
	temp    string
	pending []reference // of the record that is checked

	count   int64
	size    int64
	waiting []*heldRecord
	file    *os.File
	out     *bufio.Writer
	encoder *gob.Encoder
}

// reference is a foreign key that nothing has yet.
type reference struct {
	Key         int // which foreign key
	Fingerprint fingerprint
	Shown       string
}

type heldRecord struct {
	Record     *records.Record
	References []reference
}

func (h *held) add(r *records.Record, waits bool) error {
	h.count++
	one := &heldRecord{Record: r.Clone()}
	if waits {
		one.References = append(one.References, h.pending...)
	}
	if h.file == nil {
		h.waiting = append(h.waiting, one)
		if h.size += sizeOf(r); h.size <= h.memory {
			return nil
		}
		return h.spill()
	}
	return h.encoder.Encode(one)
}

// spill opens the file. What is in memory stays there: it comes out first.
func (h *held) spill() (err error) {
	if h.file, err = namelessFile(h.temp); err != nil {
		return err
	}
	h.out = bufio.NewWriterSize(h.file, 1<<16)
	h.encoder = gob.NewEncoder(h.out)
	return nil
}

// sizeOf is about how many bytes a record takes.
func sizeOf(r *records.Record) int64 {
	size := int64(200)
	var value func(*records.Value)
	value = func(v *records.Value) {
		size += int64(len(v.Text)) + 80
		for i := range v.Items {
			value(&v.Items[i])
		}
		for i := range v.Fields {
			size += 60
			value(&v.Fields[i].Value)
		}
	}
	for i := range r.Fields {
		size += 60
		value(&r.Fields[i].Value)
	}
	return size
}

// each gives the records out in their order.
func (h *held) each(give func(*heldRecord) error) error {
	for i, one := range h.waiting {
		h.waiting[i] = nil
		if err := give(one); err != nil {
			return err
		}
	}
	if h.file == nil {
		return nil
	}
	defer h.file.Close()
	if err := h.out.Flush(); err != nil {
		return err
	}
	if _, err := h.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	decoder := gob.NewDecoder(bufio.NewReaderSize(h.file, 1<<16))
	for {
		var one heldRecord
		if err := decoder.Decode(&one); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := give(&one); err != nil {
			return err
		}
	}
}

// release decides the records that were held back, and gives back what keys took.
func (c *Checker) release() error {
	var err error
	if c.held != nil {
		err = c.held.each(c.decide)
	}
	for _, set := range c.unique {
		set.close()
	}
	for _, set := range c.foreign {
		set.close()
	}
	return err
}

func (c *Checker) decide(one *heldRecord) error {
	c.faults = c.faults[:0]
	for _, ref := range one.References {
		found, err := c.foreign[ref.Key].has(ref.Fingerprint)
		if err != nil {
			return err
		}
		if !found {
			c.fault(fault.SchemaForeignKey, -1, "", fmt.Sprintf("the table has no record with the key %s", ref.Shown))
		}
	}
	if c.tell(one.Record) {
		return nil
	}
	return c.to.Record(one.Record)
}
