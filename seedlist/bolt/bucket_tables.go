package bolt

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"

	"go.etcd.io/bbolt"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// The buckets of the file. Numbers in keys are big-endian, so that keys sort as
// they count; "seed" is a seed's number.
const (
	inMeta    = iota // "version" → the version of this layout
	inSeeds          // hash → seed
	inHot            // seed → hot, with a sum
	inCold           // seed → JSON of cold, with a sum
	inStates         // state, seed → nothing
	inReady          // state, priority (larger first), due, seed → nothing; except for added
	inHosted         // host, priority (larger first), due, seed → nothing; for added
	inWaiting        // ready state (or suspects), due, seed → nothing: a retry that is not due yet
	inRecheck        // due, seed → nothing: will be fetched again
	// host → its turn, and how many of its seeds are in inWaiting; the hosts with a seed there or in inHosted
	inHosts
	inTurns        // turn → host: the same, in order
	inChildren     // archive → number of children; archive, seed → hash
	inDirty        // clean seed → number of dirty ones; clean seed, seed → hash
	inLog          // rising number → JSON of an Attempt, with a sum
	inAttempts     // seed, number → nothing: the seed's entries in inLog
	inCounts       // name → number
	inOrphans      // hash → nothing: removed, its files may be too
	inCatalogs     // catalog → status, due, JSON of Catalog, sum; catalogs are numbered with the seeds
	inCatalogKeys  // hash → catalog
	inRefusals     // catalog → JSON of what its last harvest refused, the first of it
	inListings     // catalog, seed → the harvest that named it last, and whether it is gone
	inListed       // seed, catalog → hash of the catalog
	inHostSettings // host → JSON of HostSettings
	inOldKeys      // MD5 of a URI as it was given → hash
	// SHA-256 of bytes (half of it), seed → nothing: washed, and would be to the same under any URI
	inAlike
	inChanges      // last revision → time and changes, as changes.go has them; its sequence is the last revision of all
	inWashed       // span, its begin → sums of what was washed
	inContexts     // key of a context of JSON-LD → JSON of Context
	inContextTexts // key of a context, part → that part of its text, compressed
	inRecipes      // key → JSON of a row about recipes: see engine.Recipes
	bucketCount
)

var bucketNames = [bucketCount]string{
	"meta", "seeds", "hot", "cold", "states", "ready", "hosted", "waiting", "recheck", "hosts", "turns",
	"children", "dirty", "log", "attempts", "counts", "orphans",
	"catalogs", "catalogkeys", "refusals", "listings", "listed",
	"hostsettings", "oldkeys", "alike", "changes", "washed", "contexts", "contexttexts", "recipes",
}

// layout is the version of the buckets and of their records. A list of any other is refused.
const layout = "2"

// tables are the buckets of one transaction.
type tables struct {
	tx      *bbolt.Tx
	buckets [bucketCount]*bbolt.Bucket
	cursors [bucketCount]*bbolt.Cursor // for get: one that is used again allocates nothing
	hots    map[uint64]hot             // what a batch has read and written of inHot; nil for who only reads
	list    string                     // the name of the file
	seeker  *seeker
}

func (s *Store) openTables(tx *bbolt.Tx) tables {
	return tables{tx: tx, list: s.name, seeker: &s.seeker}
}

func (t *tables) bucket(which int) *bbolt.Bucket {
	if t.buckets[which] == nil {
		t.buckets[which] = t.tx.Bucket([]byte(bucketNames[which]))
	}
	return t.buckets[which]
}

// get is the value of a key; nil also where a store that is only read has no such
// bucket yet.
func (t *tables) get(which int, key []byte) []byte {
	if t.bucket(which) == nil {
		return nil
	}
	if t.cursors[which] == nil {
		t.cursors[which] = t.bucket(which).Cursor()
	}
	found, value := t.cursors[which].Seek(key)
	if !bytes.Equal(found, key) {
		return nil
	}
	return value
}

// number finds the seed of a hash; 0 if there is none.
func (t *tables) number(hash string) uint64 {
	raw, err := hex.DecodeString(hash)
	if err != nil || len(raw) == 0 {
		return 0
	}
	value := t.get(inSeeds, raw)
	if len(value) != 8 {
		return 0
	}
	return binary.BigEndian.Uint64(value)
}

// hot reads the small record of a seed; false if there is none, or none that can be read.
func (t *tables) hot(id uint64) (hot, bool) {
	if h, ok := t.hots[id]; ok {
		return h, true
	}
	key := appendNumber(nil, id)
	h, err := readHot(key, t.get(inHot, key))
	if err == nil && t.hots != nil {
		t.hots[id] = h
	}
	return h, err == nil
}

// standing is hot that tells a seed which is not there from one whose record can't be read.
func (t *tables) standing(id uint64) (h hot, is bool, damage *seedlist.Damage) {
	if h, ok := t.hot(id); ok {
		return h, true, nil
	}
	key := appendNumber(nil, id)
	h, err := readHot(key, t.get(inHot, key))
	if err == errAbsent && t.get(inCold, key) == nil {
		return h, false, nil // removed, or only named by an index that is damaged
	}
	return h, false, t.damageOf(inHot, id, err)
}

// cold reads the larger record of a seed. The error is [seedlist.ErrNotFound], or a
// [*seedlist.Damage] where it can't be read.
func (t *tables) cold(id uint64) (seedlist.Stored, error) {
	key := appendNumber(nil, id)
	c, err := readStored(key, t.get(inCold, key))
	switch {
	case err == errAbsent:
		return c, seedlist.ErrNotFound
	case err != nil:
		return c, t.damageOf(inCold, id, err)
	}
	return c, nil
}

// total is the number of links of a seed; false if it has never had any.
func (t *tables) total(which int, id uint64) (int64, bool) {
	value := t.get(which, appendNumber(nil, id))
	if len(value) != 8 {
		return 0, false
	}
	return int64(binary.BigEndian.Uint64(value)), true
}

// scan calls visit for the keys that begin with prefix, in order, until it returns false.
// It begins at the first that is not before from (nil: the first of all). A visit must not
// write, and must copy what it keeps.
func (t *tables) scan(which int, prefix, from []byte, visit func(key, value []byte) bool) {
	if from == nil {
		from = prefix
	}
	if t.bucket(which) == nil {
		return
	}
	cursor := t.bucket(which).Cursor()
	for key, value := cursor.Seek(from); key != nil && bytes.HasPrefix(key, prefix); key, value = cursor.Next() {
		if !visit(key, value) {
			return
		}
	}
}

// keys are the first that begin with prefix, as long as all of them are taken (nil: they are), no more than most.
func (t *tables) keys(which int, prefix []byte, most int, isTaken func(key []byte) bool) (keys [][]byte) {
	t.scan(which, prefix, nil, func(key, _ []byte) bool {
		if len(keys) == most || isTaken != nil && !isTaken(key) {
			return false
		}
		keys = append(keys, bytes.Clone(key))
		return true
	})
	return keys
}

// first is the first key that begins with prefix; nil if there is none.
func (t *tables) first(which int, prefix []byte) []byte {
	key, _ := t.bucket(which).Cursor().Seek(prefix)
	if !bytes.HasPrefix(key, prefix) {
		return nil
	}
	return key
}

// indexKey is the place of a seed among those that wait for something; false if
// it waits for nothing.
func (h *hot) indexKey(id uint64) (which int, key []byte, ok bool) {
	moves := h.moves()
	q := engine.QueueOf(&moves)
	key = make([]byte, 0, 28)
	switch {
	case h.is(isDamaged), q == engine.QueueNone, q == engine.QueueWork, q == engine.QueueRests && !h.atRest():
		return 0, nil, false
	case q == engine.QueueRests:
		which, key = inRecheck, appendTime(key, h.due)
	case h.is(isWaiting):
		which, key = inWaiting, appendTime(append(key, partOf(q)), h.due)
	case q == engine.QueueHosts:
		which, key = inHosted, appendTime(appendDesc(appendNumber(key, h.host), h.priority), h.due)
	case q == engine.QueueSuspects:
		which, key = inReady, appendTime(append(key, suspects, h.crashes), h.due)
	default:
		which, key = inReady, appendTime(appendDesc(append(key, partOf(q)), h.priority), h.due)
	}
	return which, appendNumber(key, id), true
}

// suspects is where the numbers of states are in the keys of inReady and inWaiting, for suspects of
// all stages but the first: those are claimed apart.
const suspects = 0xFF

// waitingParts are what the keys of inWaiting may begin with.
func waitingParts() []byte {
	parts := []byte{suspects}
	for _, stage := range seedlist.Stages() {
		parts = append(parts, stage.Ready().Number())
	}
	return parts
}

func stateKey(s seedlist.State, id uint64) []byte {
	return appendNumber([]byte{s.Number()}, id)
}
