package seedlist

import (
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"laundromat/internal/content"
)

// Child is an entry of an archive. A record without a name (WARC, crawl dump) is
// called by its byte offset in decimal, a space, and its URI.
type Child struct {
	// Name is the entry's name as the archive has it, in whatever encoding. The
	// store makes Archive.Entry, EntryBytes and Nth from it.
	Name    string
	Archive Archive
	Content content.Content
	// HTTP is how a crawler got it, if its record says so.
	HTTP []Exchange
}

// newChildren makes the records of an archive's entries.
func (s *Store) newChildren(parent *cold, children []Child, now time.Time) ([]newRecord, error) {
	records := make([]newRecord, len(children))
	seen := make(map[string]int)
	for i, child := range children {
		seen[child.Name]++
		nth := seen[child.Name]
		archive := child.Archive
		archive.Entry, archive.EntryBytes, archive.Nth = child.Name, nil, 0
		if text := strings.ToValidUTF8(child.Name, "\uFFFD"); text != child.Name {
			archive.Entry, archive.EntryBytes = text, []byte(child.Name)
		}
		if nth > 1 {
			archive.Nth = nth
		}
		c := cold{Hash: ChildKey(parent.Hash, child.Name, nth), Record: Record{
			Interval: parent.Interval, Source: parent.Source, Parent: parent.Hash, KeepVersions: parent.KeepVersions,
			Added: now, Archive: &archive, Content: &child.Content, HTTP: child.HTTP,
		}}
		data, err := c.encode()
		if err != nil {
			return nil, fmt.Errorf("entry %s: %w", strconv.Quote(child.Name), err)
		}
		records[i] = newRecord{hash: c.Hash, hot: hot{state: table[1].ready}, cold: data, counts: make(map[string]int64)}
		c.tally(records[i].counts, +1)
	}
	return records, nil
}

// ChildHashes are the keys that the store will give to entries of these names, in
// this order: for who names files by them before the archive is completed.
func ChildHashes(parent string, names []string) []string {
	hashes := make([]string, len(names))
	seen := make(map[string]int)
	for i, name := range names {
		seen[name]++
		hashes[i] = ChildKey(parent, name, seen[name])
	}
	return hashes
}

// deplete makes the children of an archive what its entries are: new ones are
// filed, those whose bytes changed are filed again, and those whose entry is gone
// keep their record. is is the archive's hot record as it was saved.
func (b *batch) deplete(id uint64, is *hot, entries []newRecord) {
	here := make(map[uint64]bool, len(entries))
	created := make(map[string]uint64)
	for _, entry := range entries {
		child := b.number(entry.hash)
		if child == 0 {
			entry.hot.priority, entry.hot.parent = is.priority, id
			entry.hot.due = b.now.UnixNano()
			child = b.createUnnamed(entry)
			created[entry.hash] = child
			raw, _ := hex.DecodeString(entry.hash)
			b.put(inChildren, appendNumber(appendNumber(nil, id), child), raw)
		} else {
			b.refile(child, id, &entry)
		}
		here[child] = true
	}
	// bbolt cuts its pages only when it commits: a hundred thousand hashes in any
	// order would each be inserted in the middle of one page, in order they are not.
	for _, hash := range slices.Sorted(maps.Keys(created)) {
		b.name(hash, created[hash])
	}
	if is.state == Depleted {
		total := b.add(inChildren, appendNumber(nil, id), int64(len(created)), true)
		if total == int64(len(created)) {
			return // the first time: none can be gone
		}
	}
	var gone []uint64
	b.scan(inChildren, appendNumber(nil, id), nil, func(key, _ []byte) bool {
		if len(key) == 16 && !here[lastNumber(key)] {
			gone = append(gone, lastNumber(key))
		}
		return true
	})
	for _, child := range gone {
		b.setGone(child, true)
	}
}

// refile files a child again if its bytes changed. What is known of the old bytes is
// forgotten with them.
func (b *batch) refile(child, parent uint64, entry *newRecord) {
	was, ok := b.hot(child)
	old, err := b.cold(child)
	if !ok || err != nil || was.parent != parent {
		return
	}
	fresh, err := decodeCold(entry.cold)
	if err != nil {
		return
	}
	if old.Content != nil && old.Content.SHA256 == fresh.Content.SHA256 && old.Content.NumberOfBytes == fresh.Content.NumberOfBytes {
		b.setGone(child, false)
		return
	}
	// An archive is fetched again only when all below it is at rest, so that the
	// child is in a final state; were it not, its worker would be at the old bytes.
	if was.state != table[1].ready && !byDepletion.allows(was.state, table[1].ready) {
		return
	}
	change := make(map[string]int64)
	old.tally(change, -1)
	cleans := old.cleans()
	old.ForgetReading()
	old.Content, old.Archive, old.HTTP = fresh.Content, fresh.Archive, fresh.HTTP
	data, err := old.encode()
	if err != nil {
		return
	}
	old.tally(change, +1)
	is := was
	is.revision++
	is.set(isGone, false)
	is.restart(table[1].ready, b.now.UnixNano(), b.now.UnixNano())
	b.putCold(child, data, change)
	b.save(child, &was, &is)
	b.unlinkOld(child, cleans, &old)
}

func (b *batch) setGone(child uint64, gone bool) {
	was, ok := b.hot(child)
	if !ok || was.is(isGone) == gone {
		return
	}
	is := was
	is.set(isGone, gone)
	b.save(child, &was, &is)
}
