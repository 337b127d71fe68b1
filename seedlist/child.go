package seedlist

import (
	"strings"
	"time"

	"laundromat/internal/digest"
)

// Child is an entry of an archive. A record without a name (WARC, crawl dump) is
// called by its byte offset in decimal, a space, and its URI.
type Child struct {
	// Name is the entry's name as the archive has it, in whatever encoding. The
	// store makes Archive.Entry, EntryBytes and Nth from it.
	Name string
	// Text is the name as people read it, where it is in another encoding; "" where not.
	Text    string
	Archive Archive
	Content digest.Content
	// Nth is which entry of that name it is, from 1; 0 for all children of a call: they
	// are counted there.
	Nth int
	// Fence is that of the claim that wrote its bytes: see [Fences].
	Fence uint64
	// HTTP is how a crawler got it, if its record says so.
	HTTP []Exchange
	// Again says that an entry that was here before has to be worked on again, though its
	// bytes are the same.
	Again bool
	// Within is what was asked of all that is in the archive; nil for nothing.
	Within *Mark
}

// stored is the record that a child begins with; nth is which entry of its name it is,
// from 1.
func (c *Child) stored(parent *Stored, nth int, now time.Time) Stored {
	archive := c.Archive
	archive.Entry, archive.EntryBytes, archive.Nth = c.Name, nil, 0
	text := c.Text
	if text == "" {
		text = strings.ToValidUTF8(c.Name, "\uFFFD")
	}
	if text != c.Name {
		archive.Entry, archive.EntryBytes = text, []byte(c.Name)
	}
	if nth > 1 {
		archive.Nth = nth
	}
	return Stored{Hash: ChildKey(parent.Hash, c.Name, nth), Record: Record{
		Interval: parent.Interval, Source: parent.Source, Parent: parent.Hash, KeepVersions: parent.KeepVersions,
		Added: now, Archive: &archive, Content: &c.Content, HTTP: c.HTTP,
		Stock: Stock{Fences: Fences{Dirty: c.Fence}},
	}}
}

// RefilesAs says that the record of a child has to begin again with what its archive holds now. That is other bytes, or
// the same where again asks for it or the record is marked.
func (r *Record) RefilesAs(fresh *Record, again bool) bool {
	isSame := r.Content != nil && r.Content.SHA256 == fresh.Content.SHA256 && r.Content.NumberOfBytes == fresh.Content.NumberOfBytes
	return !isSame || again || r.Marked != nil
}

// Refile takes what the archive of a child holds now. What is known of the old reading is forgotten, and the mark ends.
// within is what was asked of all that is in the archive.
func (r *Record) Refile(fresh *Record, within *Mark) {
	r.ForgetReading()
	r.EndMark(within)
	r.Content, r.Archive, r.HTTP = fresh.Content, fresh.Archive, fresh.HTTP
	r.Fences.Dirty, r.Removed.Dirty = fresh.Fences.Dirty, nil
}
