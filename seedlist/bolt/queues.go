package bolt

import (
	"bytes"
	"encoding/binary"
	"time"

	"go.etcd.io/bbolt"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// partOf is what the keys of a queue begin with in inReady and inWaiting.
func partOf(q engine.Queue) byte {
	switch q {
	case engine.QueueHosts:
		return seedlist.Added.Number()
	case engine.QueueArchives:
		return seedlist.Filed.Number()
	case engine.QueueGuesses:
		return seedlist.Unarchived.Number()
	case engine.QueueDocuments:
		return seedlist.Guessed.Number()
	}
	return suspects
}

// Ready are the first of a queue.
func (t *tx) Ready(q engine.Queue, at time.Time, most int) (found []*engine.Seed, err error) {
	switch q {
	case engine.QueueWork:
		return t.left(most)
	case engine.QueueRests:
		return t.taken(inRecheck, t.keys(inRecheck, nil, most, func(key []byte) bool { return readTime(key) <= at.UnixNano() }))
	}
	t.batch.promote(partOf(q))
	for { // what is damaged is set aside, and others come in its place
		keys := t.keys(inReady, []byte{partOf(q)}, most, nil)
		if found, err = t.taken(inReady, keys); err != nil || len(found) == len(keys) {
			return found, err
		}
	}
}

// taken are the seeds of keys of an index, with documents. Those that can't be read are taken out of it.
func (t *tx) taken(which int, keys [][]byte) (found []*engine.Seed, err error) {
	for _, id := range t.batch.inPlace(which, keys) {
		h, ok := t.hot(id)
		if !ok {
			continue
		}
		r := t.seedOf(id, &h)
		if err := t.Documents(r); err != nil {
			return nil, err
		}
		if r.Damage != nil {
			t.batch.setAside(id, &h, r.Damage)
			continue
		}
		found = append(found, r)
	}
	return found, nil
}

// left are the seeds that a process held which is gone: as the file is opened, all that are worked on.
func (t *tx) left(most int) (found []*engine.Seed, err error) {
	if t.store.isBegun.Load() {
		return nil, nil
	}
	for _, stage := range seedlist.Stages() {
		t.scan(inStates, []byte{stage.Number()}, nil, func(key, _ []byte) bool {
			if h, ok := t.hot(lastNumber(key)); ok && len(found) < most {
				found = append(found, t.seedOf(lastNumber(key), &h))
			}
			return len(found) < most
		})
	}
	return found, nil
}

// Turns are the free hosts by turn, each with its first seeds: together no more than may be taken, in rounds over the
// hosts with one seed a host a round.
func (t *tx) Turns(at time.Time, most int) (turns []engine.Turn, err error) {
	t.batch.promote(partOf(engine.QueueHosts))
	type turn struct {
		cursor *bbolt.Cursor
		host   *engine.Host
		slots  int
		next   []byte // the key of its next seed
		keys   [][]byte
	}
	var free []*turn
	t.scan(inTurns, nil, nil, func(_, key []byte) bool {
		h := t.store.hosts.host(binary.BigEndian.Uint64(key))
		if slots := t.store.Slots(h, at); slots > 0 {
			u := &turn{cursor: t.bucket(inHosted).Cursor(), host: h, slots: slots}
			if u.next, _ = u.cursor.Seek(key); bytes.HasPrefix(u.next, key) {
				free = append(free, u)
			}
		}
		return len(free) < most
	})
	for picked, before := 0, -1; picked < most && picked != before; {
		before = picked
		for _, u := range free {
			if picked == most || len(u.keys) == u.slots || !bytes.HasPrefix(u.next, []byte(u.host.Key)) {
				continue
			}
			u.keys = append(u.keys, bytes.Clone(u.next))
			u.next, _ = u.cursor.Next()
			picked++
		}
	}
	for _, u := range free {
		seeds, err := t.taken(inHosted, u.keys)
		if err != nil {
			return nil, err
		}
		if len(seeds) > 0 {
			turns = append(turns, engine.Turn{Host: u.host, Seeds: seeds})
		}
	}
	if len(turns) == 0 && len(free) > 0 && t.batch.err == nil { // all of them were damaged
		return t.Turns(at, most)
	}
	return turns, nil
}

// Blocked are the hosts of which something is due, and that are not free.
func (t *tx) Blocked(at time.Time, most int) (hosts []*engine.Host, total int, err error) {
	due := t.dueByHost(at)
	t.scan(inTurns, nil, nil, func(_, key []byte) bool {
		id := binary.BigEndian.Uint64(key)
		h := t.store.hosts.host(id)
		if t.store.Slots(h, at) > 0 || len(due[id]) == 0 && t.first(inHosted, key) == nil {
			return true
		}
		if total++; len(hosts) < most {
			h.Settings.Host = t.nameOf(key, due[id])
			h.Waiting = t.waiting(key, due[id], seedlist.MostCounted)
			hosts = append(hosts, h)
		}
		return true
	})
	return hosts, total, nil
}

// nameOf is the name of a host, which one of its seeds says.
func (t *tx) nameOf(key []byte, due []uint64) (name string) {
	say := func(id uint64) bool {
		if c, err := t.cold(id); err == nil {
			name = c.HostName()
		}
		return name == ""
	}
	t.scan(inHosted, key, nil, func(seed, _ []byte) bool { return say(lastNumber(seed)) })
	for _, id := range due {
		if name == "" {
			say(id)
		}
	}
	return name
}

// waiting is how many seeds of a host could be claimed, counted up to most.
func (t *tx) waiting(key []byte, due []uint64, most int) int {
	n := len(due)
	t.scan(inHosted, key, nil, func(_, _ []byte) bool {
		n++
		return n < most
	})
	return min(n, most)
}

// Next says when a queue has something to take.
func (t *tx) Next(q engine.Queue, at time.Time, most int) (o engine.Outlook, err error) {
	switch q {
	case engine.QueueCatalogs:
		id, due := t.nextCatalog()
		if id != 0 {
			o.At, o.IsReady = due.UnixNano(), !due.After(at)
		}
		return o, nil
	case engine.QueueRests:
		if key := t.first(inRecheck, nil); key != nil {
			o.At = readTime(key)
			o.IsReady = o.At <= at.UnixNano()
		}
		return o, nil
	case engine.QueueReady:
		for _, part := range waitingParts() {
			t.lookLater(&o, part, at, most)
		}
		return o, nil
	case engine.QueueDue:
		o.First = t.oldestDue()
	case engine.QueueHosts:
		t.lookAtHosts(&o, at)
	default:
		o.IsReady = t.first(inReady, []byte{partOf(q)}) != nil
		if key := t.first(inWaiting, []byte{partOf(q)}); key != nil {
			o.At = readTime(key[1:])
			o.IsReady = o.IsReady || o.At <= at.UnixNano()
		}
	}
	return o, nil
}

// oldestDue is the least due time of all seeds that wait or rest. The keys of all are looked at.
func (t *tx) oldestDue() (due int64) {
	for _, which := range [...]int{inHosted, inReady, inWaiting} {
		t.scan(which, nil, nil, func(key, _ []byte) bool {
			due = engine.Sooner(due, readTime(key[len(key)-16:])) // before the seed's number
			return true
		})
	}
	if key := t.first(inRecheck, nil); key != nil {
		due = engine.Sooner(due, readTime(key))
	}
	return due
}

// lookAtHosts says when a seed may be downloaded. One that has come due while its host is in use or rests is no sooner
// to be had than that host.
func (t *tx) lookAtHosts(o *engine.Outlook, at time.Time) {
	look := func(host uint64, hasDue func() bool) {
		h := t.store.hosts.host(host)
		if t.store.Slots(h, at) > 0 {
			o.IsReady = hasDue()
		} else if ends := t.store.FreeAt(h); !ends.IsZero() {
			o.At = engine.Sooner(o.At, ends.UnixNano())
		}
	}
	t.scan(inTurns, nil, nil, func(_, key []byte) bool {
		look(binary.BigEndian.Uint64(key), func() bool { return t.first(inHosted, key) != nil })
		return !o.IsReady
	})
	for host := range t.dueByHost(at) {
		if !o.IsReady {
			look(host, func() bool { return true })
		}
	}
	part := []byte{partOf(engine.QueueHosts)}
	t.scan(inWaiting, part, appendTime(bytes.Clone(part), at.UnixNano()+1), func(key, _ []byte) bool {
		o.At = engine.Sooner(o.At, readTime(key[1:]))
		return false
	})
}

// lookLater counts what is due later of a part of inWaiting.
func (t *tx) lookLater(o *engine.Outlook, part byte, at time.Time, most int) {
	t.scan(inWaiting, []byte{part}, appendTime([]byte{part}, at.UnixNano()+1), func(key, _ []byte) bool {
		if o.Later < most {
			o.Later++
		}
		o.First = engine.Sooner(o.First, readTime(key[1:]))
		return o.Later < most
	})
}

// Hosts are those of some keys; nil: all with settings of their own.
func (t *tx) Hosts(keys []string, count int) (hosts []*engine.Host, err error) {
	if keys == nil {
		hosts = t.store.hosts.configured()
	}
	for _, key := range keys {
		hosts = append(hosts, t.store.hosts.host(hostOfKey(key)))
	}
	if count <= 0 {
		return hosts, nil
	}
	due := t.dueByHost(time.Now())
	for _, h := range hosts {
		h.Waiting = t.waiting([]byte(h.Key), due[hostOfKey(h.Key)], count)
	}
	return hosts, nil
}

// dueByHost are the seeds that have come due, and that no claim has made ready yet.
func (t *tables) dueByHost(now time.Time) map[uint64][]uint64 {
	due := map[uint64][]uint64{}
	t.scan(inWaiting, []byte{seedlist.Added.Number()}, nil, func(key, _ []byte) bool {
		if readTime(key[1:]) > now.UnixNano() {
			return false
		}
		if h, ok := t.hot(lastNumber(key)); ok {
			due[h.host] = append(due[h.host], lastNumber(key))
		}
		return true
	})
	return due
}

// promote makes ready what has come due of a part of what waits.
func (b *batch) promote(part byte) {
	keys := b.keys(inWaiting, []byte{part}, maxPromoted, func(key []byte) bool { return readTime(key[1:]) <= b.now.UnixNano() })
	for _, id := range b.inPlace(inWaiting, keys) {
		if was, ok := b.hot(id); ok {
			is := was
			is.set(isWaiting, false)
			b.place(id, &was, &is)
		}
	}
}

// maxPromoted is the number of seeds that come due in one transaction.
const maxPromoted = 1000
