package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"sync"
	"testing/synctest"

	"go.etcd.io/bbolt"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// Audit scans the whole file and returns what does not follow from the hot and
// cold records: in the indices, counts, links, turns of hosts.
func (s *Store) Audit() (wrong []string) {
	complain := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	err := s.now.Load().db.View(func(tx *bbolt.Tx) error {
		t := s.openTables(tx)
		want := map[int]map[string]string{}
		for _, which := range []int{inStates, inReady, inHosted, inWaiting, inRecheck, inSeeds, inHosts, inTurns, inDirty, inAttempts,
			inAlike} {
			want[which] = map[string]string{}
		}
		counts := map[string]int64{}
		open := map[uint64]uint32{}
		hots := map[uint64]hot{}
		hosts := map[uint64]int64{} // with how many of their seeds are due later
		t.scan(inHot, nil, nil, func(key, value []byte) bool {
			id := lastNumber(key)
			h, _ := readHot(key, value)
			hots[id] = h
			c, err := t.cold(id)
			if err != nil {
				complain("%d: %v", id, err)
			}
			raw, _ := hex.DecodeString(c.Hash)
			want[inSeeds][string(raw)] = string(appendNumber(nil, id))
			want[inStates][string(stateKey(h.state, id))] = ""
			if which, key, ok := h.indexKey(id); ok {
				want[which][string(key)] = ""
				switch {
				case which == inHosted:
					hosts[h.host] += 0
				case which == inWaiting && h.state == seedlist.Added:
					hosts[h.host]++
				}
			}
			counts[countState+string(h.state)]++
			if h.is(isRelative) {
				counts[countRelative]++
			}
			if h.is(isFragment) {
				counts[countFragments]++
			}
			if h.is(isDamaged) {
				counts[countDamaged]++
			}
			if h.state != seedlist.Parsed && c.ServedClean() != "" {
				counts[countKept]++
				if !h.state.IsFinal() {
					counts[countRefreshed]++
				}
			}
			addCounts(counts, engine.Tallied(&c, isCleanRecord(&c)))
			if h.parent != 0 {
				if t.get(inChildren, appendNumber(appendNumber(nil, h.parent), id)) == nil {
					complain("%d: not among the children of %d", id, h.parent)
				}
				if !h.atRest() {
					open[h.parent]++
				}
			}
			if alike := alike(&c.Record); alike != nil {
				want[inAlike][string(appendNumber(alike, id))] = ""
			}
			for _, hash := range c.Cleans() {
				clean := t.number(hash)
				want[inDirty][string(appendNumber(appendNumber(nil, clean), id))] = string(raw)
			}
			return true
		})
		for id, h := range hots {
			if h.open != open[id] {
				complain("%d: %d children not at rest, recorded %d", id, open[id], h.open)
			}
			if knows := s.Knows(id, h.fence); h.state.IsWorking() != knows {
				complain("%d: %s, lease %v", id, h.state, knows)
			}
		}
		t.scan(inAttempts, nil, nil, func(key, _ []byte) bool {
			_, ofSeed := hots[binary.BigEndian.Uint64(key)]
			if ofCatalog := t.get(inCatalogs, key[:8]) != nil; ofSeed == ofCatalog || t.get(inLog, key[8:]) == nil {
				complain("attempt %x of nothing", key)
			}
			want[inAttempts][string(key)] = ""
			return true
		})
		logged := 0
		t.scan(inLog, nil, nil, func(_, _ []byte) bool { logged++; return true })
		if logged != len(want[inAttempts]) {
			complain("%d entries in the log, %d of seeds", logged, len(want[inAttempts]))
		}
		for _, fault := range t.auditCatalogs(hots) {
			complain("%s", fault)
		}
		totals := map[uint64]int64{}
		for key := range want[inDirty] {
			totals[binary.BigEndian.Uint64([]byte(key))]++
		}
		for id, n := range totals {
			want[inDirty][string(appendNumber(nil, id))] = string(binary.BigEndian.AppendUint64(nil, uint64(n)))
		}
		for id, h := range hots {
			if h.is(isClean) && totals[id] == 0 {
				complain("%d: a clean seed that no dirty one names", id)
			}
		}
		children := map[uint64]int64{}
		t.scan(inChildren, nil, nil, func(key, value []byte) bool {
			if len(key) == 16 {
				children[binary.BigEndian.Uint64(key)]++
				if hots[lastNumber(key)].parent != binary.BigEndian.Uint64(key) {
					complain("child %x of another", key)
				}
			}
			return true
		})
		for id, n := range children {
			if total, ok := t.total(inChildren, id); !ok || total != n {
				complain("%d: %d children, total %d", id, n, total)
			}
		}
		t.scan(inOrphans, nil, nil, func(key, _ []byte) bool {
			if t.number(hex.EncodeToString(key)) != 0 {
				complain("orphan %x has a record", key)
			}
			return true
		})
		for host, later := range hosts {
			turn, _ := readTurn(t.get(inHosts, appendNumber(nil, host)))
			value := appendNumber(nil, turn)
			want[inTurns][string(value)] = string(appendNumber(nil, host))
			if later > 0 {
				value = appendNumber(value, uint64(later))
			}
			want[inHosts][string(appendNumber(nil, host))] = string(value)
		}
		for which, rows := range want {
			got := map[string]string{}
			t.scan(which, nil, nil, func(key, value []byte) bool {
				got[string(key)] = string(value)
				return true
			})
			if !maps.Equal(got, rows) {
				complain("%s: %x, want %x", bucketNames[which], got, rows)
			}
		}
		stored := map[string]int64{}
		t.scan(inCounts, nil, nil, func(key, value []byte) bool {
			stored[string(key)] = int64(binary.BigEndian.Uint64(value))
			return true
		})
		delete(stored, countUnchanged)
		maps.DeleteFunc(counts, func(_ string, n int64) bool { return n == 0 })
		if !maps.Equal(stored, counts) {
			complain("counts %v, want %v", stored, counts)
		}
		asked := map[uint64]int{}
		for id := range s.hosts.asked {
			if h, ok := hots[id]; !ok || h.state != seedlist.Downloading {
				complain("%d is %s, and its host is asked for it", id, h.state)
			}
			asked[hots[id].host]++
		}
		for host, use := range s.hosts.hosts {
			if use.Claims < asked[host] { // beside those of seeds that were removed
				complain("host %x: %d requests, asked for %d seeds", host, use.Claims, asked[host])
			}
		}
		return nil
	})
	if err != nil {
		complain("%v", err)
	}
	return wrong
}

// auditCatalogs checks the listings from both sides, what is counted of them, and
// which seeds are gone.
func (t *tables) auditCatalogs(hots map[uint64]hot) (wrong []string) {
	listed := map[string]string{}
	kept, named := map[uint64]int{}, map[uint64]int{}
	t.scan(inCatalogs, nil, nil, func(key, value []byte) bool {
		id := lastNumber(key)
		c, err := readCatalog(key, value)
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("catalog %d: %v", id, err))
		}
		if status, due := catalogStanding(value); status != c.Status || !due.Equal(c.Due) {
			wrong = append(wrong, fmt.Sprintf("catalog %d: %s %v, but %s %v", id, status, due, c.Status, c.Due))
		}
		if t.catalogNumber(c.Hash) != id {
			wrong = append(wrong, fmt.Sprintf("catalog %d is not found", id))
		}
		raw, _ := hex.DecodeString(c.Hash)
		var there, gone int64
		t.scan(inListings, key, nil, func(key, value []byte) bool {
			seed := lastNumber(key)
			if _, ok := hots[seed]; !ok {
				wrong = append(wrong, fmt.Sprintf("catalog %d lists %d, which isn't a seed", id, seed))
			}
			listed[string(appendNumber(appendNumber(nil, seed), id))] = string(raw)
			named[seed]++
			if value[8] != 0 {
				gone++
			} else {
				there++
				kept[seed]++
			}
			return true
		})
		if c.Listed != there || c.Gone != gone {
			wrong = append(wrong, fmt.Sprintf("catalog %d lists %d and %d gone, counted %d and %d", id, there, gone, c.Listed, c.Gone))
		}
		return true
	})
	got := map[string]string{}
	t.scan(inListed, nil, nil, func(key, value []byte) bool {
		got[string(key)] = string(value)
		return true
	})
	if !maps.Equal(got, listed) {
		wrong = append(wrong, fmt.Sprintf("listed %x, want %x", got, listed))
	}
	for id, h := range hots {
		if h.parent == 0 && h.is(isGone) != (named[id] > 0 && kept[id] == 0) {
			wrong = append(wrong, fmt.Sprintf("%d: gone is %v", id, h.is(isGone)))
		}
	}
	return wrong
}

// LimitSize makes the file refuse to grow past n bytes; 0 ends that.
func (s *Store) LimitSize(n int) { s.now.Load().db.MaxSize = n }

// LargestValue is the size of the largest value in the file.
func (s *Store) LargestValue() (largest int) {
	_ = s.now.Load().db.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(_ []byte, b *bbolt.Bucket) error {
			return b.ForEach(func(_, value []byte) error {
				largest = max(largest, len(value))
				return nil
			})
		})
	})
	return largest
}

// Together has operations done in one transaction, in this order, and returns when all
// are done. It is called in a bubble of synctest.
func (s *Store) Together(operations ...func()) {
	begun, ends := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		s.do(context.Background(), func(*batch) error {
			close(begun)
			<-ends
			return nil
		})
	})
	<-begun
	for _, operation := range operations {
		all.Go(operation)
		synctest.Wait() // it is queued
	}
	close(ends)
	all.Wait()
}

// Orphan puts a hash on the list of orphans, whatever has it.
func (s *Store) Orphan(hash string) error {
	return s.do(context.Background(), func(b *batch) error {
		raw, err := hex.DecodeString(hash)
		b.put(inOrphans, raw, nil)
		return err
	})
}

// SetMark writes a mark of the layout, or removes it if value is nil.
func (s *Store) SetMark(name string, value []byte) error {
	return s.now.Load().db.Update(func(tx *bbolt.Tx) error {
		meta := tx.Bucket([]byte(bucketNames[inMeta]))
		if value == nil {
			return meta.Delete([]byte(name))
		}
		return meta.Put([]byte(name), value)
	})
}

// SpoilListed flips a bit of the key of a catalog that names a seed, where the seed has it.
func (s *Store) SpoilListed() error {
	return s.do(context.Background(), func(b *batch) error {
		key := b.keys(inListed, nil, 1, nil)[0]
		value := bytes.Clone(b.get(inListed, key))
		value[0] ^= 1
		b.put(inListed, key, value)
		return nil
	})
}

// Spoil flips a bit of a record of the seed of a hash.
func (s *Store) Spoil(bucket, hash string) error {
	return s.now.Load().db.Update(func(tx *bbolt.Tx) error {
		t := s.openTables(tx)
		key := appendNumber(nil, t.number(hash))
		b := tx.Bucket([]byte(bucket))
		record := append([]byte(nil), b.Get(key)...)
		record[len(record)/2] ^= 4
		return b.Put(key, record)
	})
}

// Located is where a record of a seed is in the file.
type Located struct {
	Cold     bool
	Hash     string
	From, To int64
	Element  int64 // where it is said where the record is
}

// Locate finds the records of seeds in a file that is whole.
func Locate(path string) (all []Located, size, pageSize int64, err error) {
	s, err := openSource(path)
	if err != nil {
		return nil, 0, 0, err
	}
	defer s.Close()
	hashes := map[uint64]string{}
	walk := s.walk(false, func(bucket string, e element) {
		if bucket == bucketNames[inSeeds] {
			hashes[binary.BigEndian.Uint64(e.value)] = hex.EncodeToString(e.key)
		}
	})
	for id := uint64(2); id < s.pages; id++ {
		p, err := s.page(id)
		if !walk.reached.has(id) || err != nil || p.kind != leafKind {
			continue
		}
		elements, err := p.elements()
		if err != nil {
			return nil, 0, 0, err
		}
		for i, e := range elements {
			for _, which := range []int{inHot, inCold} {
				if mayBe(which, e) {
					from := int64(id)*int64(s.pageSize) + int64(cap(p.data)-cap(e.key))
					all = append(all, Located{
						Cold: which == inCold, Hash: hashes[lastNumber(e.key)], From: from, To: from + int64(len(e.key)+len(e.value)),
						Element: int64(id)*int64(s.pageSize) + pageHeader + int64(i)*pageElement,
					})
				}
			}
		}
	}
	return all, int64(s.pages) * int64(s.pageSize), int64(s.pageSize), nil
}
