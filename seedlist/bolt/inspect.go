package bolt

import (
	"cmp"
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
// while it lasts; some hundred bytes a seed are in memory.
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
			records, err = i.run(file, found)
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
	return i.run(source.pageFile, found)
}

// inspection is what is collected of the records, and of the indices made of them. Of an index,
// the sum of the hashes of its entries is held against that of those that must be there.
type inspection struct {
	ctx       context.Context
	list      string
	seed      maphash.Seed
	want, got [bucketCount]uint64
	unsure    [bucketCount]bool // entries of it, or what they are made of, can't be read
	hots      []hotRow
	colds     []coldRow
	counts    map[string]int64
	stored    map[string]int64
	keys      map[string]uint64 // hash → number
	damages   []*seedlist.Damage
	logged    int64
	version   string
	missing   [bucketCount]bool
	unnamed   map[uint64]*seedlist.Damage // of records of seeds whose keys are not known yet
}

type hotRow struct {
	id, parent uint64
	isClean    bool
}

type coldRow struct {
	id     uint64
	hash   [16]byte
	cleans []string
}

func newInspection(ctx context.Context, list string) *inspection {
	return &inspection{
		ctx: ctx, list: list, seed: maphash.MakeSeed(),
		counts: map[string]int64{}, stored: map[string]int64{}, keys: map[string]uint64{}, unnamed: map[uint64]*seedlist.Damage{},
	}
}

func (i *inspection) run(file *pageFile, found func(*seedlist.Damage) error) (int64, error) {
	if cut := file.cut(); cut != nil {
		cut.List = i.list
		i.damages = append(i.damages, cut)
	}
	if len(file.bad) > 0 {
		i.damages = append(i.damages, &seedlist.Damage{List: i.list, Why: file.badHead(), Lost: "the last transaction, if the damaged " +
			"head was the newer one"})
	}
	walk := file.walk(false, i.entry)
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	isFreeKnown := true
	for _, f := range walk.faults {
		i.damages = append(i.damages, f.damage(i.list))
		i.doubt(f.bucket)
		var page *errPage
		isFreeKnown = isFreeKnown && !(errors.As(f.why, &page) && page.id == file.freelist)
	}
	if lost := walk.lost(); len(lost) > 0 && isFreeKnown && len(walk.faults) == 0 {
		i.damages = append(i.damages, &seedlist.Damage{
			List: i.list, Place: fmt.Sprintf("page %d", lost[0]), Lost: "what was reached through it",
			Why: fmt.Sprintf("and %d others are in use, and nothing leads to them", len(lost)-1),
		})
	}
	for which, name := range bucketNames {
		if _, ok := walk.buckets[name]; !ok && (which <= inCounts || i.version == layout) && len(walk.faults) == 0 {
			i.damages = append(i.damages, &seedlist.Damage{List: i.list, Place: "the bucket " + name, Why: "is not there"})
			i.doubt(name)
		}
	}
	if i.version != layout && len(walk.faults) == 0 {
		i.damages = append(i.damages, &seedlist.Damage{List: i.list, Why: fmt.Sprintf("its layout %q is none that is known", i.version),
			Lost: "how it is to be read"})
	}
	readable := i.pair()
	i.compare()
	for _, d := range i.damages {
		if err := found(d); err != nil {
			return readable, err
		}
	}
	return readable, nil
}

// doubt notes that entries of a bucket can't be read; "" is the tree that holds all buckets.
func (i *inspection) doubt(bucket string) {
	for which, name := range bucketNames {
		if bucket == "" || name == bucket {
			i.unsure[which] = true
		}
	}
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
	if slices.Contains(summed[:], which) {
		if err := recordError(which, e.key, e.value); err != nil {
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
		h, _ := readHot(e.key, e.value)
		i.hot(lastNumber(e.key), &h)
	case inCold:
		c, _ := readStored(e.key, e.value)
		i.cold(lastNumber(e.key), &c)
	case inLog:
		i.logged++
		i.want[inAttempts] += i.hash(e.key, nil)
	case inAttempts:
		if len(e.key) == 16 {
			i.got[inAttempts] += i.hash(e.key[8:], nil)
		}
	case inCatalogs:
		c, _ := readCatalog(e.key, e.value)
		raw, _ := hex.DecodeString(c.Hash)
		i.want[inCatalogKeys] += i.hash(raw, e.key)
	case inListings:
		if len(e.key) == 16 {
			i.want[inListed] += i.hash(append(append([]byte{}, e.key[8:]...), e.key[:8]...), nil)
		}
	case inListed:
		i.got[inListed] += i.hash(e.key, nil)
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
	if which == inSeeds && len(e.key) == 16 && len(e.value) == 8 {
		i.keys[string(e.key)] = binary.BigEndian.Uint64(e.value)
	}
}

func (i *inspection) recordDamage(which int, key []byte, why error) {
	id := uint64(0)
	if len(key) == 8 {
		id = lastNumber(key)
	}
	d := recordDamage(i.list, which, id, why)
	if which == inCold {
		i.unnamed[id] = d
	}
	i.damages = append(i.damages, d)
}

func (i *inspection) hot(id uint64, h *hot) {
	i.hots = append(i.hots, hotRow{id, h.parent, h.is(isClean)})
	i.want[inStates] += i.hash(stateKey(h.state, id), nil)
	if which, key, ok := h.indexKey(id); ok {
		i.want[which] += i.hash(key, nil)
	}
	h.tally(i.counts)
}

func (i *inspection) cold(id uint64, c *seedlist.Stored) {
	row := coldRow{id: id, cleans: c.Cleans()}
	raw, _ := hex.DecodeString(c.Hash)
	copy(row.hash[:], raw)
	i.colds = append(i.colds, row)
	i.want[inSeeds] += i.hash(raw, appendNumber(nil, id))
	if key := alike(&c.Record); key != nil {
		i.want[inAlike] += i.hash(appendNumber(key, id), nil)
	}
	addCounts(i.counts, engine.Tallied(c, isCleanRecord(c)))
}

// pair holds the two records of each seed against each other, and returns how many seeds have both.
func (i *inspection) pair() (both int64) {
	// A list is read in the order of the numbers, but for what is damaged.
	slices.SortStableFunc(i.hots, func(a, b hotRow) int { return cmp.Compare(a.id, b.id) })
	slices.SortStableFunc(i.colds, func(a, b coldRow) int { return cmp.Compare(a.id, b.id) })
	hots, colds := i.hots, i.colds
	for len(hots) > 0 || len(colds) > 0 {
		switch {
		case len(colds) == 0 || len(hots) > 0 && hots[0].id < colds[0].id:
			i.unpaired(inCold, hots[0].id, "")
			hots = hots[1:]
		case len(hots) == 0 || colds[0].id < hots[0].id:
			i.unpaired(inHot, colds[0].id, hex.EncodeToString(colds[0].hash[:]))
			colds = colds[1:]
		default:
			both++
			id, hash := hots[0].id, colds[0].hash[:]
			if parent := hots[0].parent; parent != 0 {
				i.want[inChildren] += i.hash(appendNumber(appendNumber(nil, parent), id), hash)
			}
			for _, clean := range colds[0].cleans {
				raw, _ := hex.DecodeString(clean)
				if number := i.keys[string(raw)]; number != 0 {
					i.want[inDirty] += i.hash(appendNumber(appendNumber(nil, number), id), hash)
				}
			}
			hots, colds = hots[1:], colds[1:]
		}
	}
	for which, is := range i.missing {
		i.unsure[which] = i.unsure[which] || is
	}
	if len(i.unnamed) > 0 {
		for raw, id := range i.keys {
			if d := i.unnamed[id]; d != nil {
				d.Hash = hex.EncodeToString([]byte(raw))
			}
		}
	}
	return both
}

// unpaired tells of a seed one of whose records is not there, unless something of the bucket can't be
// read: that was told of.
func (i *inspection) unpaired(which int, id uint64, hash string) {
	i.missing[which] = true
	if i.unsure[which] {
		return
	}
	d := recordDamage(i.list, which, id, errAbsent)
	d.Hash = hash
	if which == inHot {
		d.Lost = "in which state the seed " + hash + " is"
	} else {
		i.unnamed[id] = d
	}
	i.damages = append(i.damages, d)
}

// madeOf says which buckets each index is made of.
var madeOf = map[int][]int{
	inSeeds: {inCold}, inStates: {inHot}, inReady: {inHot}, inHosted: {inHot}, inWaiting: {inHot}, inRecheck: {inHot},
	inChildren: {inHot, inCold}, inDirty: {inHot, inCold, inSeeds}, inAttempts: {inLog}, inAlike: {inCold}, inCatalogKeys: {inCatalogs},
	inListed: {inListings}, inTurns: {inHosts},
}

// compare tells of indices and counts that do not fit the records. Where records can't be read, no index
// made of them can be judged.
func (i *inspection) compare() {
	for which := range bucketCount {
		sources, isIndex := madeOf[which]
		isUnsure := i.unsure[which] || slices.ContainsFunc(sources, func(s int) bool { return i.unsure[s] })
		if isIndex && !isUnsure && i.want[which] != i.got[which] {
			i.damages = append(i.damages, &seedlist.Damage{
				List: i.list, Place: "the index " + bucketNames[which], Why: "does not fit the records that it is made of",
				Lost: "nothing that they do not say",
			})
		}
	}
	if i.unsure[inCounts] || i.unsure[inHot] || i.unsure[inCold] {
		return
	}
	names := slices.AppendSeq(slices.Collect(maps.Keys(i.stored)), maps.Keys(i.counts))
	for _, name := range names {
		isOfRecords := name != countUnchanged && name != countWaiting && !strings.HasPrefix(name, countRemoved)
		if isOfRecords && i.stored[name] != i.counts[name] {
			i.miscounted(name)
			return
		}
	}
}

func (i *inspection) miscounted(name string) {
	i.damages = append(i.damages, &seedlist.Damage{
		List: i.list, Place: "the count " + name, Why: fmt.Sprintf("is %d, and the records make it %d", i.stored[name], i.counts[name]),
		Lost: "nothing that they do not say",
	})
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
