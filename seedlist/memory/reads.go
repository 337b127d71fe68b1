package memory

import (
	"bytes"
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// copyOf is a seed as a transaction may change it.
func copyOf(r *engine.Seed) *engine.Seed {
	return &engine.Seed{Number: r.Number, Hash: r.Hash, Hot: r.Hot, Saved: r.Hot, Data: r.Data, Alike: r.Alike}
}

// those are the seeds that a function chooses, in the order of their age.
func (t *tx) those(choose func(r *engine.Seed) bool) (all []*engine.Seed) {
	for _, n := range t.order {
		if r := t.seeds[n]; choose(r) {
			all = append(all, r)
		}
	}
	return all
}

func copies(seeds []*engine.Seed, most int) (all []*engine.Seed) {
	for _, r := range seeds[:min(len(seeds), most)] {
		all = append(all, copyOf(r))
	}
	return all
}

func (t *tx) Seeds(numbers []uint64, hashes []string, old bool) ([]*engine.Seed, error) {
	numbers = slices.Clone(numbers)
	for _, hash := range hashes {
		n := t.hashes[hash]
		if n == 0 && old {
			n = t.oldKeys[hash]
		}
		numbers = append(numbers, n)
	}
	return copies(t.those(func(r *engine.Seed) bool { return slices.Contains(numbers, r.Number) }), math.MaxInt), nil
}

func (t *tx) Documents(...*engine.Seed) error { return nil } // they are read already

func (t *tx) Ready(q engine.Queue, at time.Time, most int) ([]*engine.Seed, error) {
	ready := t.those(func(r *engine.Seed) bool { return r.Queue == q && r.Due <= at.UnixNano() && t.isReady(r) })
	slices.SortFunc(ready, q.Order)
	return copies(ready, most), nil
}

// isReady says that a seed of a queue may be taken from it. No process is ever gone.
func (t *tx) isReady(r *engine.Seed) bool {
	return r.Queue != engine.QueueWork && (r.Queue != engine.QueueRests || !t.isUnrest(r.Number))
}

// isUnrest says that something below a seed is in no final state.
func (t *tx) isUnrest(number uint64) bool {
	return slices.ContainsFunc(t.childrenOf(number), func(r *engine.Seed) bool { return !r.State.IsFinal() || t.isUnrest(r.Number) })
}

func (t *tx) childrenOf(number uint64) []*engine.Seed {
	return t.those(func(r *engine.Seed) bool { return r.Parent == number && number != 0 })
}

func (t *tx) Unrest(of []uint64) (moving []uint64, err error) {
	for _, n := range of {
		if t.isUnrest(n) {
			moving = append(moving, n)
		}
	}
	return moving, nil
}

// isWaiting says that a seed waits for its host alone.
func isWaiting(r *engine.Seed, at time.Time) bool {
	return r.Queue == engine.QueueHosts && r.Due <= at.UnixNano()
}

// queue are the hosts with a turn, in their order, each with the seeds that are due.
func (t *tx) queue(at time.Time) (turns []engine.Turn) {
	waiting := map[string][]*engine.Seed{}
	for _, r := range t.those(func(r *engine.Seed) bool { return isWaiting(r, at) }) {
		waiting[r.Host] = append(waiting[r.Host], r)
	}
	for _, name := range slices.SortedFunc(maps.Keys(waiting), func(a, b string) int { return cmp.Compare(t.turns[a], t.turns[b]) }) {
		h := t.host(name)
		h.Waiting = len(waiting[name])
		turns = append(turns, engine.Turn{Host: h, Seeds: waiting[name]})
	}
	return turns
}

func (t *tx) Turns(at time.Time, most int) (turns []engine.Turn, err error) {
	for _, u := range t.queue(at) {
		if slots := t.Slots(u.Host, at); slots > 0 && len(turns) < most {
			slices.SortFunc(u.Seeds, engine.QueueHosts.Order)
			u.Seeds = copies(u.Seeds, slots)
			turns = append(turns, u)
		}
	}
	return turns, nil
}

func (t *tx) Blocked(at time.Time, most int) (hosts []*engine.Host, total int, err error) {
	for _, u := range t.queue(at) {
		if t.Slots(u.Host, at) > 0 {
			continue
		}
		if total++; len(hosts) < most {
			hosts = append(hosts, u.Host)
		}
	}
	return hosts, total, nil
}

func (t *tx) Next(q engine.Queue, at time.Time, most int) (o engine.Outlook, err error) {
	if q == engine.QueueCatalogs {
		first, err := t.Catalogs(engine.CatalogQuery{Due: engine.TimeOf(math.MaxInt64), Most: 1})
		for _, c := range first {
			o.At, o.IsReady = c.Known.Due.UnixNano(), !c.Known.Due.After(at)
		}
		return o, err
	}
	if q == engine.QueueDue {
		for _, r := range t.those(func(r *engine.Seed) bool { return engine.QueueHosts <= r.Queue && r.Queue <= engine.QueueRests }) {
			o.First = engine.Sooner(o.First, r.Due)
		}
		return o, nil
	}
	for _, r := range t.those(func(r *engine.Seed) bool {
		return (r.Queue == q || q == engine.QueueReady && engine.QueueHosts <= r.Queue && r.Queue <= engine.QueueSuspects) && t.isReady(r)
	}) {
		if o.IsReady = o.IsReady || r.Due <= at.UnixNano() && q != engine.QueueHosts; r.Due > at.UnixNano() {
			o.At, o.First, o.Later = engine.Sooner(o.At, r.Due), engine.Sooner(o.First, r.Due), min(o.Later+1, most)
		}
	}
	if q == engine.QueueHosts {
		for _, u := range t.queue(at) {
			if t.Slots(u.Host, at) > 0 {
				o.IsReady = true
			} else if free := t.FreeAt(u.Host); !free.IsZero() {
				o.At = engine.Sooner(o.At, free.UnixNano())
			}
		}
	}
	return o, nil
}

// host is a copy of a host, a new one if it is not known.
func (t *tx) host(key string) *engine.Host {
	h := engine.Host{Key: key, Settings: seedlist.HostSettings{Host: key}}
	if known := t.hosts[key]; known != nil {
		h = *known
	}
	return &h
}

func (t *tx) Hosts(keys []string, count int) (hosts []*engine.Host, err error) {
	if keys == nil {
		keys = slices.DeleteFunc(slices.Sorted(maps.Keys(t.hosts)), func(key string) bool { return !engine.IsOwn(&t.hosts[key].Settings) })
	}
	for _, key := range keys {
		h := t.host(key)
		h.Waiting = min(count, len(t.those(func(r *engine.Seed) bool { return r.Host == key && isWaiting(r, time.Now()) })))
		hosts = append(hosts, h)
	}
	return hosts, nil
}

// related are all links of a relation from a number, by where they lead to.
func (t *tx) related(relation engine.Relation, of uint64) (links []engine.Link) {
	links = slices.Collect(maps.Values(t.links[relation][of]))
	for _, r := range t.childrenOf(of) {
		if relation == engine.Children {
			links = append(links, engine.Link{To: r.Number, Gone: r.Gone})
		}
	}
	for catalog, seeds := range t.links[engine.Listings] {
		if l, is := seeds[of]; is && relation == engine.Listed {
			l.To = catalog
			links = append(links, l)
		}
	}
	for i := range links {
		l := &links[i]
		if l.Relation, l.Of = relation, of; relation == engine.Listed {
			l.Hash = t.catalogs[l.To].Hash
		} else if r := t.seeds[l.To]; r != nil {
			l.Hash = r.Hash
		}
	}
	slices.SortFunc(links, func(a, b engine.Link) int { return cmp.Compare(a.To, b.To) })
	return links
}

func (t *tx) Links(q engine.LinkQuery) (links []engine.Link, totals map[uint64]int64, err error) {
	of := slices.Sorted(slices.Values(q.Of))
	if q.Of == nil {
		of = slices.Sorted(maps.Keys(t.links[q.Relation]))
	}
	totals = map[uint64]int64{}
	for _, n := range of {
		mine := 0
		for _, l := range t.related(q.Relation, n) {
			if q.Gone != nil && l.Gone != *q.Gone || l.Harvest < q.From || q.Before > 0 && l.Harvest >= q.Before {
				continue
			}
			totals[n]++
			isAfter := l.To > q.After
			if q.Of == nil {
				isAfter, mine = n > q.AfterOf || n == q.AfterOf && l.To > q.After, len(links)
			}
			if isAfter && mine < q.Most && (q.Among == nil || slices.Contains(q.Among, l.To)) {
				links = append(links, l)
				mine++
			}
		}
	}
	return links, totals, nil
}

func (t *tx) Scan(f engine.Scan, after uint64, most int) ([]*engine.Seed, error) {
	found := copies(t.those(func(r *engine.Seed) bool {
		return r.Number > after && (f.State == "" || r.State == f.State) && (f.Host == "" || r.Host == f.Host || r.Parent != 0) &&
			(f.Parent == 0 || r.Parent == f.Parent) && (f.Relative == nil || r.Relative == *f.Relative) &&
			(f.Alike == "" || r.Alike == f.Alike)
	}), most)
	for old, n := range t.oldKeys {
		if at, is := slices.BinarySearchFunc(found, n, func(r *engine.Seed, n uint64) int { return cmp.Compare(r.Number, n) }); is {
			found[at].OldKey = old
		}
	}
	return found, nil
}

func (t *tx) Catalogs(q engine.CatalogQuery) (found []*engine.Catalog, err error) {
	isDue := func(c *engine.Catalog, at time.Time) bool {
		return !c.Known.Due.IsZero() && !c.Known.Due.After(at) && c.Known.Status != seedlist.CatalogHarvesting
	}
	for _, n := range slices.Sorted(maps.Keys(t.catalogs)) {
		c := *t.catalogs[n]
		isMoving := c.Known.Status == seedlist.CatalogHarvesting || c.Known.Status == seedlist.CatalogWaiting || isDue(&c, q.Moving)
		if slices.Contains(q.Numbers, n) || q.Hash != "" && c.Hash == q.Hash || q.IsAll && n > q.After ||
			!q.Due.IsZero() && isDue(&c, q.Due) || !q.Moving.IsZero() && isMoving {
			found = append(found, &c)
		}
	}
	if !q.Due.IsZero() {
		slices.SortStableFunc(found, func(a, b *engine.Catalog) int { return a.Known.Due.Compare(b.Known.Due) })
	}
	if q.Most > 0 {
		found = found[:min(len(found), q.Most)]
	}
	return found, nil
}

func (t *tx) Log(of []string, after uint64, most int) (all []engine.Entry, err error) {
	seen := map[string]int{} // entries of each seed and each catalog
	for _, e := range slices.Backward(t.log) {
		is := strconv.FormatBool(e.OfCatalog) + e.Hash
		if seen[is]++; e.Number > after && (of == nil || slices.Contains(of, e.Hash) && seen[is] <= most) {
			all = append(all, e)
		}
	}
	if slices.Reverse(all); of == nil {
		all = all[:min(len(all), most)]
	}
	return all, nil
}

func (t *tx) Changes(after uint64, most int) (all []seedlist.Change, first, last uint64, err error) {
	first, last = t.revision+1-uint64(len(t.changes)), t.revision
	if after+1 >= first && after < last {
		all = t.changes[after+1-first:]
	}
	return slices.Clone(all[:min(len(all), most)]), first, last, nil
}

func (t *tx) Counts() (map[string]int64, error) { return maps.Clone(t.counts), nil }

func (t *tx) Washed(span seedlist.Span, from, to time.Time) (all []seedlist.Washed, err error) {
	for _, w := range t.washed[span] {
		if to.IsZero() || !w.Begin.Before(from) && w.Begin.Before(to) {
			all = append(all, w)
		}
	}
	return all, nil
}

func (t *tx) Orphans(q engine.OrphanQuery) (all []string, err error) {
	if q.Taken != nil {
		return nil, nil // nobody writes files while this process sweeps
	}
	for _, hash := range slices.Sorted(maps.Keys(t.orphans)) {
		if hash > q.After && len(all) < q.Most {
			all = append(all, hash)
		}
	}
	return all, nil
}

func (t *tx) Items(q engine.ItemQuery) (all []engine.Item, err error) {
	of := t.items[q.Kind]
	for _, key := range slices.Sorted(maps.Keys(of)) {
		isAsked := key > q.After && strings.HasPrefix(key, q.Prefix)
		if q.Keys != nil {
			isAsked = slices.Contains(q.Keys, key)
		}
		if i := of[key]; isAsked && len(all) < q.Most {
			i.Data = bytes.Clone(i.Data)
			all = append(all, i)
		}
	}
	return all, nil
}

func (t *tx) Meta(name string) ([]byte, error) {
	if name == engine.MetaCopying {
		return t.copying, nil
	}
	return strconv.AppendUint(nil, t.last[name], 10), nil
}

func (t *tx) Numbers(n int) (numbers []uint64, err error) {
	for range n {
		t.last[engine.MetaNumbers]++
		numbers = append(numbers, t.last[engine.MetaNumbers])
	}
	return numbers, nil
}
