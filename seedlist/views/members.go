package views

import (
	"context"
	"encoding/binary"
	"slices"

	"laundromat/internal/ordered"
	"laundromat/seedlist"
)

// Members of an archive are listed by the host, the catalogs, the publisher and the licence of its root. The feed of
// changes tells of the root alone. So a change of these is passed on: archives whose members are to be read again are
// noted in the tables, and the changes that led there are held to be told only when that is done.

// membersKey is the key of what is to be passed on: the block that is next of the first archive, and the numbers of
// the values of [Parent] of all archives.
var membersKey = []byte("members")

// passOn notes the archive of a hash if its members are listed otherwise since it is.
func (c *change) passOn(seed *seedlist.Seed) {
	if seed.Hash == "" || !slices.ContainsFunc(groups[:], func(f Facet) bool { return !sameValues(&c.was, &c.is, f) }) {
		return
	}
	id, ok := c.ids.find(Parent, seed.Hash)
	if !ok {
		stored := c.tables[inValues].Get(append([]byte{byte(Parent)}, seed.Hash...))
		if len(stored) != 4 {
			return // it has no members
		}
		id = binary.BigEndian.Uint32(stored)
	}
	c.archives = append(c.archives, id)
}

// writeArchives adds the archives that were noted to those of the tables.
func (c *change) writeArchives() {
	if len(c.archives) == 0 {
		return
	}
	waiting := append([]byte(nil), c.tables[inMeta].Get(membersKey)...)
	if len(waiting) == 0 {
		waiting = make([]byte, blockSize)
	}
	for _, id := range c.archives {
		waiting = binary.BigEndian.AppendUint32(waiting, id)
	}
	c.tables[inMeta].Put(membersKey, waiting)
	c.archives = nil
}

// isPassingOn says that members are still to be read again.
func (c *change) isPassingOn() bool {
	return len(c.archives) > 0 || c.tables[inMeta].Get(membersKey) != nil
}

// readMembers reads the next members of the first archive again.
func (v *Views) readMembers(ctx context.Context, known standing) error {
	err := v.tables.Update(ctx, func(tx ordered.Tx) error {
		t := tablesOf(tx)
		if t.stored() != known {
			return nil
		}
		c := v.newChange(tx)
		next, waiting := binary.BigEndian.Uint32([]byte(known.members)), []byte(known.members[blockSize:])
		numbers, next, done := c.membersFrom(binary.BigEndian.Uint32(waiting), next)
		if done {
			next, waiting = 0, waiting[4:]
		}
		if len(waiting) == 0 {
			c.tables[inMeta].Delete(membersKey)
		} else {
			c.tables[inMeta].Put(membersKey, append(binary.BigEndian.AppendUint32(nil, next), waiting...))
		}
		if err := v.setAll(ctx, c, numbers); err != nil {
			return err
		}
		return c.end()
	})
	if err != nil {
		v.ids.forget()
	}
	return err
}

// membersFrom are the numbers of some members of an archive, from a block on, and the block that follows them.
func (t *tables) membersFrom(id, from uint32) (numbers []uint64, next uint32, done bool) {
	prefix := appendValue(nil, Parent, id)
	walk := t[inRows].walk(prefix, appendBlock(prefix[:len(prefix):len(prefix)], from), false)
	var offsets []uint16
	for key, value := walk(); key != nil; key, value = walk() {
		at := lastBlock(key)
		if len(numbers) >= maxBuilt {
			return numbers, at, false
		}
		offsets = block(value).appendOffsets(offsets[:0])
		for _, offset := range offsets {
			numbers = append(numbers, uint64(at)<<blockBits|uint64(offset))
		}
	}
	return numbers, 0, true
}
