package bolt

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// A batch is one transaction that many callers share, so that they share its fsync too. One goroutine runs their
// operations one after another. An operation refuses (returns an error) before its first write, or not at all; an error
// of a move, or of bbolt itself, ends the whole batch, and each operation runs again alone.
type batch struct {
	tables
	store   *Store
	now     time.Time
	deltas  map[string]int64
	members []*operation               // those that run in it, also if one of them met a damaged page
	session *engine.Session            // of the engine's operations; nil before the first
	feed    []seedlist.Change          // of its sessions, and what was saved beside them
	washed  map[string]seedlist.Washed // by keys of inWashed
	err     error                      // the first error of bbolt, or of a move
	changed bool
	// isRefused says that the error is what a move met before it changed anything.
	isRefused bool
	undo      []func() // what to do to the memory if the transaction is not committed
	done      []func() // … and if it is
}

const (
	maxBatch     = 1000                  // operations: an operation is some ten writes
	maxBatchTime = 20 * time.Millisecond // no caller waits longer for others to join

	// While many claims are worked on, a batch is held open for those that end. Apart from
	// its operations, a transaction costs as much as some ten of these.
	manyClaims = 8
	heldOpen   = 10 * time.Millisecond
)

// operation is one caller's part of a batch.
type operation struct {
	run    func(*batch) error
	err    error // what run returned, or the batch
	claim  atomic.Int32
	result chan struct{} // closed when err is final
	// late says that it runs when no other is to join the batch. What it looks for may be
	// made by those before it, or be there by then.
	late bool
	// volatile says that nobody waits for the disk: it is over when the others of its batch have run.
	volatile, isOver bool
}

// end tells the caller that its operation is over.
func (o *operation) end() {
	if !o.isOver {
		o.isOver = true
		close(o.result)
	}
}

const (
	operationQueued = iota
	operationRunning
	operationAbandoned
)

// do has run executed in the next batch and waits until that is on the disk. If
// ctx ends before run began, it never will. run may be called twice.
func (s *Store) do(ctx context.Context, run func(*batch) error) error {
	return s.await(ctx, &operation{run: func(b *batch) error {
		b.endSession() // which knows nothing of what is written beside it
		return run(b)
	}})
}

func (s *Store) await(ctx context.Context, o *operation) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.options.ReadOnly {
		return seedlist.ErrReadOnly
	}
	o.result = make(chan struct{})
	select {
	case s.queue <- o:
	case <-s.stop:
		return seedlist.ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-o.result:
	case <-ctx.Done():
		if o.claim.CompareAndSwap(operationQueued, operationAbandoned) {
			return ctx.Err()
		}
		// It is running: its end is a commit away, and the caller must know it.
		<-o.result
	}
	return o.err
}

// commit runs batches until the store is closed.
func (s *Store) commit() {
	defer close(s.stopped)
	for {
		select {
		case o := <-s.queue:
			s.runBatch(o)
		case work := <-s.alone:
			work()
		case <-s.stop:
			return
		}
	}
}

// runBatch runs first and what else is queued in one transaction. If that fails,
// each is run again alone: a fault of one must not cost the others.
func (s *Store) runBatch(first *operation) {
	members, err := s.transact(first, s.queue)
	if len(members) == 0 {
		members = []*operation{first} // a damaged page was met before it ran
	}
	if err != nil && len(members) > 1 {
		for _, o := range members {
			if o.isOver {
				continue // its host stays in use until the claim ends
			}
			if _, err := s.transact(o, nil); err != nil {
				o.err = err
			}
		}
	} else if err != nil && !first.isOver {
		first.err = err
	}
	for _, o := range members {
		o.end()
	}
}

var errNothingChanged = errors.New("nothing changed")

func (s *Store) transact(first *operation, more <-chan *operation) ([]*operation, error) {
	b := &batch{store: s, now: time.Now(), deltas: make(map[string]int64)}
	err := s.updateFile(func(tx *bbolt.Tx) error {
		b.tables = s.openTables(tx)
		b.hots = make(map[uint64]hot)
		// Fixed sizes at rising keys: full pages.
		for _, which := range []int{inHot, inLog, inChanges} {
			b.bucket(which).FillPercent = 0.9
		}
		b.collect(first, more)
		b.endSession()
		for _, o := range b.members {
			if o.volatile && b.err == nil {
				o.end()
			}
		}
		b.writeCounts()
		b.writeChanges()
		b.writeWashed()
		if b.err == nil && !b.changed {
			return errNothingChanged
		}
		return b.err
	})
	if err == errNothingChanged {
		err = nil
	}
	if err != nil {
		for _, f := range slices.Backward(b.undo) {
			f()
		}
		if b.isRefused {
			return b.members, b.err
		}
		return b.members, fault.New("seedlist.commit", fault.Local, fault.LocalDisk, "the seed list could not be written: %w", err)
	}
	for _, f := range b.done {
		f()
	}
	return b.members, nil
}

// collect runs first and then what comes, until the batch is full, too old, or nobody waits
// to join it or is likely to soon. Then it runs those that are late.
func (b *batch) collect(first *operation, more <-chan *operation) {
	b.gather(first, more)
	for _, o := range b.members {
		if o.late && b.err == nil {
			o.err = o.run(b)
		}
	}
}

func (b *batch) gather(first *operation, more <-chan *operation) {
	expected := 0
	if more != nil {
		expected = b.store.Leases() / 2
	}
	var over <-chan time.Time
	for o := first; ; {
		if o.claim.CompareAndSwap(operationQueued, operationRunning) || more == nil {
			if b.members = append(b.members, o); !o.late {
				o.err = o.run(b)
			}
		}
		if len(b.members) == maxBatch || time.Since(b.now) > maxBatchTime || b.err != nil {
			return
		}
		select {
		case o = <-more:
			continue
		default:
		}
		if expected < manyClaims/2 || len(b.members) >= expected {
			return
		}
		if over == nil {
			over = time.After(heldOpen)
		}
		select {
		case o = <-more:
		case <-over:
			return
		case <-b.store.stop:
			return
		}
	}
}

// put writes a value. An empty one must not be nil. For a key that was put in the same
// transaction, bbolt gives back the very slice. A nil from get means that there is no such
// key.
func (b *batch) put(which int, key, value []byte) {
	if value == nil {
		value = []byte{}
	}
	if b.err == nil {
		b.changed = true
		b.fail(which, b.bucket(which).Put(key, value))
	}
}

func (b *batch) delete(which int, key []byte) {
	if b.err == nil {
		b.changed = true
		b.fail(which, b.bucket(which).Delete(key))
	}
}

func (b *batch) deleteKeys(which int, keys [][]byte) {
	for _, key := range keys {
		b.delete(which, key)
	}
}

// next is the next number of a bucket.
func (b *batch) next(which int) uint64 {
	n, err := b.bucket(which).NextSequence()
	b.fail(which, err)
	return n
}

func (b *batch) fail(which int, err error) {
	if err != nil && b.err == nil {
		b.err = fmt.Errorf("bucket %s: %w", bucketNames[which], err)
	}
}

// save is place for what no session changed, and tells it to the feed. The seed stays in its state.
func (b *batch) save(id uint64, was, is *hot) {
	b.feed = append(b.feed, seedlist.Change{Number: id, From: was.state, To: is.state})
	b.place(id, was, is)
}

// place writes a hot record and updates what is derived from it: indices, and turns of the hosts. The parameter was is
// nil for a new seed, the parameter is for a removed one.
func (b *batch) place(id uint64, was, is *hot) {
	var oldKey, newKey []byte
	var oldIndex, newIndex int
	if was != nil {
		oldIndex, oldKey, _ = was.indexKey(id)
		if was.is(isDamaged) {
			b.deltas[countDamaged]--
		}
	}
	if is != nil {
		newIndex, newKey, _ = is.indexKey(id)
		if is.is(isDamaged) {
			b.deltas[countDamaged]++
		}
		key := appendNumber(nil, id)
		b.put(inHot, key, appendSum(inHot, key, is.encode()))
		b.hots[id] = *is
	} else {
		b.delete(inHot, appendNumber(nil, id))
		delete(b.hots, id)
	}
	if was != nil && (is == nil || was.state != is.state) {
		b.delete(inStates, stateKey(was.state, id))
	}
	if is != nil && (was == nil || was.state != is.state) {
		b.put(inStates, stateKey(is.state, id), nil)
	}
	if oldIndex == newIndex && string(oldKey) == string(newKey) {
		return
	}
	if oldKey != nil {
		b.delete(oldIndex, oldKey)
	}
	if newKey != nil { // first: the host may be the same, and keeps its turn
		b.put(newIndex, newKey, nil)
		b.indexed(newIndex, is)
	}
	switch {
	case oldKey == nil:
	case oldIndex == inHosted:
		b.hostLost(was.host, 0)
	case oldIndex == inWaiting && was.state == seedlist.Added:
		b.hostLost(was.host, 1)
	}
}

// indexed gives a host its turn that a seed now waits for.
func (b *batch) indexed(which int, h *hot) {
	switch {
	case which == inHosted:
		b.hostGained(h.host, 0)
	case which == inWaiting && h.state == seedlist.Added:
		b.hostGained(h.host, 1)
	}
}

// restChanged notes in the archive of a seed that one more or one less of its
// children is at rest.
func (b *batch) restChanged(was, is *hot) {
	before, after := was == nil || was.atRest(), is == nil || is.atRest()
	var parent uint64
	if is != nil {
		parent = is.parent
	} else if was != nil {
		parent = was.parent
	}
	if before == after || parent == 0 {
		return
	}
	old, ok := b.hot(parent)
	if !ok {
		return
	}
	changed := old
	if after {
		changed.open--
	} else {
		changed.open++
	}
	b.place(parent, &old, &changed)
	b.restChanged(&old, &changed)
}

// add changes a stored number, and deletes it at 0 unless kept.
func (b *batch) add(which int, key []byte, n int64, keep bool) int64 {
	var old int64
	if value := b.get(which, key); len(value) == 8 {
		old = int64(binary.BigEndian.Uint64(value))
	}
	if old+n == 0 && !keep {
		b.delete(which, key)
	} else {
		b.put(which, key, binary.BigEndian.AppendUint64(nil, uint64(old+n)))
	}
	return old + n
}

func (b *batch) writeCounts() {
	for _, name := range slices.Sorted(maps.Keys(b.deltas)) {
		if n := b.deltas[name]; n != 0 {
			b.add(inCounts, []byte(name), n, false)
		}
	}
	clear(b.deltas)
}
