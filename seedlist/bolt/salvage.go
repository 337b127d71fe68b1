package bolt

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"laundromat/internal/digest"
	"laundromat/seedlist"
)

// SalvageOptions are what a salvage may use besides the damaged list.
type SalvageOptions struct {
	// URIs are those of seeds that may have been in the list, by their hashes.
	URIs map[string]string
	// Clean is the content of the clean file of a hash, if there is one and it is whole.
	Clean func(hash string) (*digest.Content, bool)
	// Dirty is the content of the file of a hash as it was downloaded, if there is one, and the fence of the claim that
	// wrote it; 0 for none.
	Dirty func(hash string) (*digest.Content, uint64, bool)
	// Files calls yield for each hash that has a file, and says of which kind.
	Files func(yield func(hash string, isClean, isDirty bool) error) error
	// Lost is told of each seed and catalog that was in the list and is not in the new one.
	Lost func(Lost) error
}

// Lost is a seed or catalog that could not be salvaged.
type Lost struct {
	Hash   string `json:"hash,omitempty"` // "" where not even the key is known
	Number uint64 `json:"number,omitempty"`
	What   string `json:"what"` // seed or catalog
	Why    string `json:"why"`
}

// Salvaged counts what a salvage came to. Whole, Restated, Refetched, FromFiles together are Seeds.
type Salvaged struct {
	Seeds        int64 `json:"seeds"`         // in the new list
	Whole        int64 `json:"whole"`         // whose records were read as they were
	Restated     int64 `json:"restated"`      // whose record was read, and whose state was derived from other parts
	Refetched    int64 `json:"refetched"`     // of which the URI alone is known, and that begin again
	FromFiles    int64 `json:"from_files"`    // that were made anew of their files
	Lost         int64 `json:"lost"`          // that were there, and are not in the new list
	Attempts     int64 `json:"attempts"`      // in the new list
	LostAttempts int64 `json:"lost_attempts"` // that were found damaged, or of seeds that are lost
	Catalogs     int64 `json:"catalogs"`      // in the new list
	LostCatalogs int64 `json:"lost_catalogs"`
	NoRecord     int64 `json:"no_record"` // hashes that have files, and no record in the new list
}

// Salvage makes a new list at into of all that can be read of the one at path, and of the files of the seeds. That
// list may be missing. It reads every page that is in use, also those that nothing leads to any more.
// All indices and counts are made anew from the records. The list at path is not changed; nobody else
// may write it meanwhile. What was at work is ready again. Some hundred bytes a seed are in memory.
func Salvage(ctx context.Context, path, into string, options SalvageOptions) (Salvaged, error) {
	s := &salvage{
		ctx: ctx, options: options, hots: map[uint64]hot{}, records: map[uint64]version{}, numbers: map[string]uint64{},
		states: map[uint64]seedlist.State{}, keys: map[string]uint64{}, entries: map[uint64]bool{}, uris: map[string]string{},
		fences: map[string]uint64{}, copied: map[int]map[string][]byte{}, there: map[uint64]bool{}, catalogs: map[string]uint64{},
		gone: map[uint64]bool{},
	}
	from, err := openSource(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return s.sums, err
	default:
		defer from.Close()
		s.source = from
	}
	if s.to, err = Open(into, seedlist.Options{}); err != nil {
		return s.sums, err
	}
	s.to.now.Load().db.NoSync = true // nobody uses it before all is written
	err = errors.Join(s.run(), s.to.now.Load().db.Sync())
	return s.sums, errors.Join(err, s.to.Close())
}

// salvage is the work of Salvage.
type salvage struct {
	ctx     context.Context
	options SalvageOptions
	source  *source // nil: there is no list
	to      *Store
	sums    Salvaged
	failure error // the first

	// What is known of the list, by the records and indices that can be read.
	hots      map[uint64]hot            // the small records
	records   map[uint64]version        // the larger records
	states    map[uint64]seedlist.State // by the index of states
	keys      map[string]uint64         // hash → number, by the index of keys
	entries   map[uint64]bool           // archives that have entries
	uris      map[string]string         // hash → URI, by the log
	fences    map[string]uint64         // hash → the largest fence, by the log
	copied    map[int]map[string][]byte // buckets that are copied as they are
	highest   uint64                    // number of a seed or catalog
	unchanged int64

	// What the new list has, or will have.
	numbers  map[string]uint64 // hash → number of a seed
	there    map[uint64]bool   // seeds that were written
	catalogs map[string]uint64 // hash → number of a catalog
	gone     map[uint64]bool   // seeds that catalogs name: whether all of these have dropped them
	links    []cleanOf
	part     seedlist.Part // that rows are of, which are about to be written
	rows     []seedlist.Row
}

// version is one of a larger record: the list may have older ones on pages that are not in use.
type version struct {
	hash    string
	changed time.Time
	sum     string // the last bytes of the record
}

// cleanOf links a seed with a clean one.
type cleanOf struct {
	clean string // its hash
	seed  uint64
}

// copies are the buckets that are made of nothing else.
var copies = []int{inCatalogs, inRefusals, inListings, inHostSettings, inOrphans, inContexts, inContextTexts, inRecipes}

func (s *salvage) run() error {
	if s.source != nil {
		s.each(s.collect)
	}
	s.collectCatalogs()
	for _, step := range []func(){
		s.putLost, s.putFiles, s.putSeeds, s.putLinks, s.putCatalogs, s.putLog, s.putOthers, s.putSums, s.countFiles,
	} {
		step()
		s.flush()
		if err := cmp.Or(s.failure, s.ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

func (s *salvage) fail(err error) { s.failure = cmp.Or(s.failure, err) }

// each calls visit for each entry that can be read, of any bucket. Entries of pages that nothing leads to
// come last, with isStray; of these only those that may have been behind a damaged page.
func (s *salvage) each(visit func(which int, e element, isStray bool)) {
	walk := &treeWalk{pageFile: s.source.pageFile, reached: newPageSet(s.source.known()), buckets: map[string]bucketHead{}}
	if s.source.headless == nil {
		walk = s.source.walk(false, func(bucket string, e element) {
			if which := slices.Index(bucketNames[:], bucket); which >= 0 {
				visit(which, e, false)
			}
		})
		if len(walk.faults) == 0 && len(walk.buckets) > 0 && len(walk.lost()) == 0 && len(s.source.bad) == 0 {
			return
		}
	}
	if len(s.source.bad) > 0 {
		clear(walk.free) // what the lost head led to is free by the other one
	}
	for _, id := range walk.lost() {
		for _, e := range s.source.strayElements(walk, id) {
			for which := range bucketCount {
				if mayBe(which, e) && (s.source.headless != nil || walk.mayMiss(bucketNames[which], e.key) || s.isLater(walk, which, e)) {
					visit(which, e, true)
				}
			}
		}
	}
}

// isLater says that an entry may be of the last transaction, where the head of that is lost. It is newer than all
// that the other head leads to, or perhaps a newer version of what is there.
func (s *salvage) isLater(walk *treeWalk, which int, e element) bool {
	if len(s.source.bad) == 0 {
		return false
	}
	id := lastNumber(e.key)
	switch which {
	case inSeeds:
		return binary.BigEndian.Uint64(e.value) > walk.buckets[bucketNames[inHot]].sequence
	case inLog:
		return id > walk.buckets[bucketNames[inLog]].sequence
	case inHot, inCold:
		if _, isThere := s.hots[id]; isThere {
			return true
		}
	case inListings:
		return false
	}
	return id > walk.buckets[bucketNames[inHot]].sequence
}

// mayMiss says that an entry of a bucket may have been behind a page that can't be read.
func (w *treeWalk) mayMiss(bucket string, key []byte) bool {
	if _, ok := w.buckets[bucket]; !ok || len(w.faults) == 0 && len(w.bad) == 0 {
		return true
	}
	return slices.ContainsFunc(w.faults, func(f pageFault) bool {
		return (f.bucket == bucket || f.bucket == "") && (f.low == nil || bytes.Compare(key, f.low) >= 0) &&
			(f.high == nil || bytes.Compare(key, f.high) < 0)
	})
}

// mostFollowing is how many pages a page has at most that holds one record.
const mostFollowing = 18

// strayElements reads the elements of a page that nothing leads to, whatever its header says.
func (f *pageFile) strayElements(walk *treeWalk, id uint64) []element {
	p := &page{id: id, kind: leafKind}
	length := int64(f.pageSize)
	for next := id + 1; next < f.known() && next <= id+mostFollowing && !walk.reached.has(next); next++ {
		length += int64(f.pageSize)
	}
	at := int64(id) * int64(f.pageSize)
	length = min(length, f.size-at)
	if length < pageHeader {
		return nil
	}
	p.data = make([]byte, length)
	if _, err := f.file.ReadAt(p.data, at); err != nil {
		return nil
	}
	if kind := binary.NativeEndian.Uint16(p.data[8:]); kind == branchKind || kind == freelistKind {
		return nil
	}
	p.count = int(binary.NativeEndian.Uint16(p.data[10:]))
	all, _ := p.elements()
	return all
}

// mayBe says that an entry whose bucket is not known may be of this one. Records are known by their sums.
func mayBe(which int, e element) bool {
	switch which {
	case inHot, inCold, inLog, inCatalogs:
		return len(e.key) == 8 && summed[which].check(e.key, e.value) == nil
	case inSeeds:
		return len(e.key) == 16 && len(e.value) == 8
	case inStates:
		return len(e.key) == 9 && len(e.value) == 0
	case inListings:
		return len(e.key) == 16 && len(e.value) == 9 && e.value[8] <= 1
	}
	return false
}

// collect takes what is small of an entry.
func (s *salvage) collect(which int, e element, isStray bool) {
	switch which {
	case inHot:
		if h, err := readHot(e.key, e.value); err == nil {
			id := lastNumber(e.key)
			old, known := s.hots[id]
			if !known || isStray && old.fence <= h.fence && old.revision <= h.revision {
				s.hots[id] = h
			}
			s.number(id)
		}
	case inCold:
		if c, err := readStored(e.key, e.value); err == nil {
			s.collectRecord(lastNumber(e.key), version{rawOf(c.Hash), latestOf(&c), sumIn(e.value)}, isStray)
		}
	case inStates:
		if len(e.key) == 9 {
			s.states[lastNumber(e.key)] = seedlist.StateOf(e.key[0])
		}
	case inSeeds:
		if _, known := s.keys[string(e.key)]; !known && len(e.key) == 16 && len(e.value) == 8 {
			s.keys[string(e.key)] = binary.BigEndian.Uint64(e.value)
			s.number(binary.BigEndian.Uint64(e.value))
		}
	case inChildren:
		if len(e.key) == 16 {
			s.entries[binary.BigEndian.Uint64(e.key)] = true
		}
	case inLog:
		s.learn(e)
	case inCounts:
		if string(e.key) == countUnchanged && len(e.value) == 8 {
			s.unchanged = int64(binary.BigEndian.Uint64(e.value))
		}
	}
	if slices.Contains(copies, which) {
		if s.copied[which] == nil {
			s.copied[which] = map[string][]byte{}
		}
		if _, known := s.copied[which][string(e.key)]; !known {
			s.copied[which][string(e.key)] = bytes.Clone(e.value)
		}
	}
}

// collectRecord chooses the version of a record that the new list will have. Of a seed with two records, one is a stray
// copy under another number.
func (s *salvage) collectRecord(id uint64, is version, isStray bool) {
	if was, known := s.records[id]; !known || isStray && is.changed.After(was.changed) {
		s.records[id] = is
	}
	if s.numbers[is.hash] == 0 {
		s.numbers[is.hash] = id
	}
	s.number(id)
}

// latestOf is when a record was written last, as far as it says.
func latestOf(c *seedlist.Stored) time.Time {
	at := c.Added
	for _, t := range []time.Time{c.Retrieved, c.Processed} {
		if t.After(at) {
			at = t
		}
	}
	return at
}

// sumIn is the sum of a record that has one.
func sumIn(record []byte) string { return string(record[len(record)-sumSize:]) }

func rawOf(hash string) string {
	raw, _ := hex.DecodeString(hash)
	return string(raw)
}

// number notes a number that is taken. One far beyond all others is that of a damaged index.
func (s *salvage) number(id uint64) {
	if id < 1<<48 {
		s.highest = max(s.highest, id)
	}
}

// learn takes from an entry of the log what may be lost elsewhere: URI and fence.
func (s *salvage) learn(e element) {
	a, err := readAttempt(e.key, e.value)
	if err != nil {
		s.sums.LostAttempts++
		return
	}
	s.fences[a.Seed] = max(s.fences[a.Seed], a.Fence)
	// User and password are not in the log: a URI that had them is not known by it.
	if a.SourceURL != "" && !strings.Contains(a.SourceURL, "***@") && seedlist.Key(a.SourceURL) == a.Seed {
		s.uris[a.Seed] = a.SourceURL
	}
}

// uri is what is known of the URI of a hash; "" if nothing is.
func (s *salvage) uri(hash string) string {
	if uri := s.uris[hash]; uri != "" {
		return uri
	}
	return s.options.URIs[hash]
}

func (s *salvage) lose(what, hash string, number uint64, why string) {
	if what == "seed" {
		s.sums.Lost++
	} else {
		s.sums.LostCatalogs++
	}
	if s.options.Lost != nil {
		s.fail(s.options.Lost(Lost{Hash: hash, Number: number, What: what, Why: why}))
	}
}

// files calls visit for each hash that has files, and no record.
func (s *salvage) files(visit func(hash string, isClean, isDirty bool)) {
	if s.options.Files == nil {
		return
	}
	s.fail(s.options.Files(func(hash string, isClean, isDirty bool) error {
		if s.numbers[rawOf(hash)] == 0 {
			visit(hash, isClean, isDirty)
		}
		return nil
	}))
}

// countFiles counts the hashes that have files, and no record.
func (s *salvage) countFiles() {
	without := map[string]bool{}
	s.files(func(hash string, _, _ bool) { without[hash] = true })
	s.sums.NoRecord = int64(len(without))
}

// PutAside gives a file another name beside it that no file has, and returns that: name and the word, or with
// a number.
func PutAside(path, word string) (string, error) {
	for n := 1; ; n++ {
		name := path + "." + word
		if n > 1 {
			name += "-" + string(rune('0'+n%10))
		}
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return filepath.Base(name), os.Rename(path, name)
		}
		if n == 9 {
			return "", errors.New("there are nine such files beside " + path + " already: remove some")
		}
	}
}
