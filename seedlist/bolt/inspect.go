package bolt

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.etcd.io/bbolt"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// Inspect reads the whole list and tells of all that is damaged in it: pages, records, and indices
// that do not fit the records. It returns the number of records that can be read. The file can't grow its map
// while it lasts.
func (s *Store) Inspect(ctx context.Context, found func(*seedlist.Damage) error) (records int64, err error) {
	for {
		err = s.viewFile(func(tx *bbolt.Tx) error {
			held := s.fileOf(tx)
			info, err := held.Stat()
			if err != nil {
				return err
			}
			file, err := openPages(held, info.Size())
			if err != nil || file.transaction != uint64(tx.ID()) {
				return errMoved // between the two a transaction was written
			}
			i := newInspection(ctx, s.name)
			if i.pages(file) {
				t := s.openTables(tx)
				i.seeds(&t)
			}
			records, err = i.tell(found)
			return err
		})
		if err != errMoved || ctx.Err() != nil {
			return records, err
		}
	}
}

var errMoved = errors.New("the list was written meanwhile")

// InspectFile is [Store.Inspect] for a list that can't be opened. Nobody else may hold the file: the
// error is a [*LockedError] then.
func InspectFile(ctx context.Context, path string, found func(*seedlist.Damage) error) (records int64, err error) {
	source, err := openSource(path)
	if err != nil {
		return 0, err
	}
	defer source.Close()
	i := newInspection(ctx, filepath.Base(path))
	if source.headless != nil {
		return 0, found(&seedlist.Damage{List: i.list, Why: "it " + source.headless.Error(), Lost: "where its records are"})
	}
	if i.pages(source.pageFile) && len(source.bad) == 0 && source.cut() == nil {
		db, _, _, err := openFile(path, &seedlist.Options{ReadOnly: true})
		if err != nil {
			return 0, err
		}
		defer db.Close()
		err = guarded(i.list, func() error {
			return db.View(func(tx *bbolt.Tx) error {
				i.seeds(&tables{tx: tx, list: i.list, seeker: new(seeker)})
				return nil
			})
		})
		if err != nil {
			return 0, err
		}
	}
	return i.tell(found)
}

// inspection is what is collected of the records, and of the indices made of them. Of an index,
// the sum of the hashes of its entries is held against that of those that must be there.
type inspection struct {
	ctx       context.Context
	list      string
	seed      maphash.Seed
	want, got [bucketCount]uint64
	unsure    [bucketCount]bool // entries of it, or what they are made of, can't be read
	counts    map[string]int64
	stored    map[string]int64
	damages   []*seedlist.Damage
	records   int64
	version   string
	unnamed   map[uint64]*seedlist.Damage // of records of seeds whose keys are not known yet
	catalogs  map[uint64][]byte           // the keys of catalogs, which come before their listings
}

func newInspection(ctx context.Context, list string) *inspection {
	return &inspection{
		ctx: ctx, list: list, seed: maphash.MakeSeed(),
		counts: map[string]int64{}, stored: map[string]int64{}, unnamed: map[uint64]*seedlist.Damage{}, catalogs: map[uint64][]byte{},
	}
}

// pages looks at all pages, and at each record by itself. It says whether the library can read them.
func (i *inspection) pages(file *pageFile) (areSound bool) {
	if cut := file.cut(); cut != nil {
		cut.List = i.list
		i.damages = append(i.damages, cut)
	}
	if len(file.bad) > 0 {
		i.tellOf("", file.badHead(), lostWithHead)
	}
	walk := file.walk(false, i.entry)
	if len(walk.faults) > 0 {
		for _, f := range walk.faults {
			i.damages = append(i.damages, f.damage(i.list))
		}
		return false
	}
	if lost := walk.lost(); len(lost) > 0 {
		i.tellOf(fmt.Sprintf("page %d", lost[0]), fmt.Sprintf("and %d others are in use, and nothing leads to them", len(lost)-1),
			"what was reached through it")
	}
	for which, name := range bucketNames {
		if _, ok := walk.buckets[name]; !ok && (which <= inCounts || i.version == layout) {
			i.tellOf("the bucket "+name, "is not there", "")
			i.unsure[which] = true
		}
	}
	if i.version != layout {
		i.tellOf("", fmt.Sprintf("its layout %q is none that is known", i.version), "how it is to be read")
	}
	return i.version == layout
}

const lostNothing = "nothing that they do not say"

func (i *inspection) tellOf(place, why, lost string) {
	i.damages = append(i.damages, &seedlist.Damage{List: i.list, Place: place, Why: why, Lost: lost})
}

func (i *inspection) tell(found func(*seedlist.Damage) error) (records int64, err error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	for _, d := range i.damages {
		if err := found(d); err != nil {
			return i.records, err
		}
	}
	return i.records, nil
}

func (i *inspection) hash(key, value []byte) uint64 {
	var h maphash.Hash
	h.SetSeed(i.seed)
	h.Write(key)
	h.WriteByte(0)
	h.Write(value)
	return h.Sum64()
}

// entry takes one entry of a bucket.
func (i *inspection) entry(bucket string, e element) {
	which := slices.Index(bucketNames[:], bucket)
	if which < 0 || i.ctx.Err() != nil {
		return
	}
	if of, is := summed[which]; is {
		if err := of.check(e.key, e.value); err != nil {
			i.unsure[which] = true
			i.recordDamage(which, e.key, err)
			return
		}
	}
	switch which {
	case inMeta:
		if string(e.key) == string(versionKey) {
			i.version = string(e.value)
		}
	case inHot:
	case inCold:
		i.records++
	case inLog:
		i.want[inAttempts] += i.hash(e.key, nil)
	case inAttempts:
		if len(e.key) == 16 {
			i.got[inAttempts] += i.hash(e.key[8:], nil)
		}
	case inCatalogs:
		c, _ := readCatalog(e.key, e.value)
		raw, _ := hex.DecodeString(c.Hash)
		i.want[inCatalogKeys] += i.hash(raw, e.key)
		i.catalogs[lastNumber(e.key)] = raw
	case inListings:
		if len(e.key) == 16 {
			i.want[inListed] += i.hash(append(append([]byte{}, e.key[8:]...), e.key[:8]...), i.catalogs[binary.BigEndian.Uint64(e.key)])
		}
	case inHosts:
		turn, _ := readTurn(e.value)
		i.want[inTurns] += i.hash(appendNumber(nil, turn), e.key)
	case inCounts:
		if len(e.value) == 8 {
			i.stored[string(e.key)] = int64(binary.BigEndian.Uint64(e.value))
		}
	case inChildren, inDirty:
		if len(e.key) == 16 {
			i.got[which] += i.hash(e.key, e.value)
		}
	default:
		i.got[which] += i.hash(e.key, e.value)
	}
	if which == inSeeds && len(e.value) == 8 && i.unnamed[lastNumber(e.value)] != nil {
		i.unnamed[lastNumber(e.value)].Hash = hex.EncodeToString(e.key)
	}
}

func (i *inspection) recordDamage(which int, key []byte, why error) {
	id := uint64(0)
	if len(key) == 8 {
		id = lastNumber(key)
	}
	d := recordDamage(i.list, which, id, why)
	if which == inCold {
		i.unnamed[id] = d // the keys of seeds come later
	}
	i.damages = append(i.damages, d)
}

// seeds holds the two records of each seed against each other, and the indices and counts against them.
func (i *inspection) seeds(t *tables) {
	missing := [bucketCount]bool{}
	absent := func(which int, id uint64) {
		missing[which] = true
		if !i.unsure[which] {
			d := recordDamage(i.list, which, id, errAbsent)
			if d.Hash = t.hashOf(id); which == inHot {
				d.Lost = "in which state the seed " + d.Hash + " is"
			}
			i.damages = append(i.damages, d)
		}
	}
	t.scan(inHot, nil, nil, func(key, value []byte) bool {
		h, err := readHot(key, value)
		if err != nil {
			return i.ctx.Err() == nil
		}
		i.hot(lastNumber(key), &h)
		switch c, err := readStored(key, t.get(inCold, key)); {
		case err == errAbsent:
			absent(inCold, lastNumber(key))
		case err == nil:
			i.cold(t, lastNumber(key), &c, h.parent)
		}
		return i.ctx.Err() == nil
	})
	t.scan(inCold, nil, nil, func(key, record []byte) bool {
		if len(key) == 8 && t.get(inHot, key) == nil && summed[inCold].check(key, record) == nil {
			absent(inHot, lastNumber(key))
			i.records--
		}
		return i.ctx.Err() == nil
	})
	for which, is := range missing {
		i.unsure[which] = i.unsure[which] || is
	}
	i.compare()
}

func (i *inspection) hot(id uint64, h *hot) {
	i.want[inStates] += i.hash(stateKey(h.state, id), nil)
	if which, key, ok := h.indexKey(id); ok {
		i.want[which] += i.hash(key, nil)
	}
	h.tally(i.counts)
}

func (i *inspection) cold(t *tables, id uint64, c *seedlist.Stored, parent uint64) {
	raw, _ := hex.DecodeString(c.Hash)
	i.want[inSeeds] += i.hash(raw, appendNumber(nil, id))
	if key := alike(&c.Record); key != nil {
		i.want[inAlike] += i.hash(appendNumber(key, id), nil)
	}
	if parent != 0 {
		i.want[inChildren] += i.hash(appendNumber(appendNumber(nil, parent), id), raw)
	}
	for _, clean := range c.Cleans() {
		if number := t.number(clean); number != 0 {
			i.want[inDirty] += i.hash(appendNumber(appendNumber(nil, number), id), raw)
		}
	}
	addCounts(i.counts, engine.Tallied(c, isCleanRecord(c)))
}

// madeOf says which buckets each index is made of.
var madeOf = map[int][]int{
	inSeeds: {inCold}, inStates: {inHot}, inReady: {inHot}, inHosted: {inHot}, inWaiting: {inHot}, inRecheck: {inHot},
	inChildren: {inHot, inCold}, inDirty: {inHot, inCold, inSeeds}, inAttempts: {inLog}, inAlike: {inCold}, inCatalogKeys: {inCatalogs},
	inListed: {inListings, inCatalogs}, inTurns: {inHosts},
}

// compare tells of indices and counts that do not fit the records. Where records can't be read, no index
// made of them can be judged.
func (i *inspection) compare() {
	for which := range bucketCount {
		sources, isIndex := madeOf[which]
		isUnsure := i.unsure[which] || slices.ContainsFunc(sources, func(s int) bool { return i.unsure[s] })
		if isIndex && !isUnsure && i.want[which] != i.got[which] {
			i.tellOf("the index "+bucketNames[which], "does not fit the records that it is made of", lostNothing)
		}
	}
	if i.unsure[inCounts] || i.unsure[inHot] || i.unsure[inCold] {
		return
	}
	names := slices.AppendSeq(slices.Collect(maps.Keys(i.stored)), maps.Keys(i.counts))
	for _, name := range names {
		isOfRecords := name != countUnchanged && name != countWaiting && !strings.HasPrefix(name, countRemoved)
		if isOfRecords && i.stored[name] != i.counts[name] {
			i.tellOf("the count "+name, fmt.Sprintf("is %d, and the records make it %d", i.stored[name], i.counts[name]), lostNothing)
			return
		}
	}
}

// source is a list that is read by its pages alone.
type source struct {
	*pageFile
	file     *os.File
	headless error // no head can be read: where all begins is not known
}

// openSource opens a list to be read by its pages, however damaged it is.
func openSource(path string) (*source, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := lockFile(file, false, 0); err != nil {
		file.Close()
		return nil, &LockedError{PID: readPID(pidPath(path))}
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, err
	}
	s := &source{file: file}
	if s.pageFile, s.headless = openPages(file, info.Size()); s.headless != nil {
		s.pageSize = os.Getpagesize()
		s.pages, s.freelist = (uint64(info.Size())+uint64(s.pageSize)-1)/uint64(s.pageSize), noFreelist
		return s, nil
	}
	return s, nil
}

func (s *source) Close() error { return s.file.Close() }
