package seedlist

import (
	"fmt"
	"strconv"
	"time"
)

// Entry is a child as a list stores it. A seed of this hash may be there already.
type Entry struct {
	Hash   string
	Stored Stored
	Data   []byte // Stored, encoded
	Again  bool   // see [Child]
	Within *Mark  // see [Child]
}

// Entries makes the records of an archive's children. Of several that have one name without saying which they
// are, the first is entry 1 of that name, and so on.
func Entries(parent *Stored, children []Child, now time.Time) ([]Entry, error) {
	entries := make([]Entry, len(children))
	seen := map[string]int{}
	for i := range children {
		child := &children[i]
		nth := child.Nth
		if nth == 0 {
			seen[child.Name]++
			nth = seen[child.Name]
		}
		stored := child.stored(parent, nth, now)
		data, err := stored.Encode()
		if err != nil {
			return nil, fmt.Errorf("entry %s: %w", strconv.Quote(child.Name), err)
		}
		entries[i] = Entry{stored.Hash, stored, data, child.Again, child.Within}
	}
	return entries, nil
}
