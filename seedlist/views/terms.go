package views

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"

	"laundromat/internal/fault"
	"laundromat/rdf/statistics"
	"laundromat/seedlist"
)

// Terms gives what a clean file uses, by its hash. It is shared, and not changed. An error of the kind
// [fault.Local] says that this machine or the store of files is in trouble: then the file is read again later. Any
// other says that the file is missing or damaged.
type Terms func(ctx context.Context, clean string) (*statistics.Terms, error)

// firstTerm is the first facet of what clean statements use. Those after it are such too.
const firstTerm = Class

// The values of [Statistics].
const (
	// StatisticsCut says that a document has more names than its statistics hold: it may use others too.
	StatisticsCut = "cut"
	// StatisticsUnread says that the statistics of a document could not be read: it is in no list of a term.
	StatisticsUnread = "unread"
)

const (
	// longestTerm is the longest value of a facet of terms, in bytes: it is a key of tables.
	longestTerm = 512
	// mostLoaded bounds the names that are in memory at a time, in bytes, of several documents; one may have more.
	mostLoaded = 32 << 20
	// loaders is how many files are read at a time: in an object store each takes some milliseconds.
	loaders = 4
	// retryPause is after what time files are read again that could not be, and maxRetried how many of them.
	retryPause = time.Minute
	maxRetried = 500
)

// TermValue is the value under which a term is listed: itself, but where it is too long for a key of tables its
// beginning, with a hash of the whole.
func TermValue(term string) string {
	if len(term) <= longestTerm {
		return term
	}
	var sum [8]byte
	binary.BigEndian.PutUint64(sum[:], xxhash.Sum64String(term))
	return strings.ToValidUTF8(term[:longestTerm-len("…#")-2*len(sum)], "") + "…#" + hex.EncodeToString(sum[:])
}

// termMark tells clean files apart in entries; 0 for a seed without one. A clean file is named by the MD5 of what it
// holds, so that the same mark means the same terms.
func termMark(seed *seedlist.Seed) uint64 {
	clean := cleanOf(seed)
	if len(clean) < 16 {
		return 0
	}
	mark, err := hex.DecodeString(clean[:16])
	if err != nil {
		return 0
	}
	return binary.BigEndian.Uint64(mark)
}

// cleanOf is the clean file that is served of a document; "" for none, and for a clean file itself.
func cleanOf(seed *seedlist.Seed) string {
	if seed.Hash == "" || seed.Status == seedlist.Cleaned {
		return ""
	}
	return seed.ServedClean()
}

// loaded are the statistics of clean files that were read for seeds at hand.
type loaded struct {
	terms Terms
	log   func(error)
	by    map[string]*statistics.Terms
	// isTroubled says that the store of files is in trouble: no more is read in this transaction.
	isTroubled bool
}

// load reads the statistics of the first seeds that need some, and returns of how many seeds none are needed any more.
func (c *change) load(ctx context.Context, seeds []seedlist.Numbered) (n int) {
	l := &c.loaded
	if l.terms == nil {
		return len(seeds)
	}
	l.by = map[string]*statistics.Terms{}
	size := 0
	for n < len(seeds) && size < mostLoaded {
		var wanted []string
		for ; n < len(seeds) && len(wanted) < loaders; n++ {
			clean := cleanOf(&seeds[n].Seed)
			if clean == "" || slices.Contains(wanted, clean) || l.by[clean] != nil || l.isTroubled {
				continue
			}
			stored := c.tables[inEntries].Get(appendSeed(c.key[:0], seeds[n].Number))
			if storedMark(stored) != termMark(&seeds[n].Seed) {
				wanted = append(wanted, clean)
			}
		}
		for i, one := range l.read(ctx, wanted) {
			if one != nil {
				l.by[wanted[i]] = one
				size += one.Size()
			}
		}
	}
	return n
}

// read reads some files at a time. One that can't be read is nil.
func (l *loaded) read(ctx context.Context, wanted []string) []*statistics.Terms {
	found := make([]*statistics.Terms, len(wanted))
	failed := make([]error, len(wanted))
	read := func(i int) { found[i], failed[i] = l.terms(ctx, wanted[i]) }
	if len(wanted) == 1 {
		read(0)
	} else {
		var all sync.WaitGroup
		for i := range wanted {
			all.Go(func() { read(i) })
		}
		all.Wait()
	}
	for i, err := range failed {
		if err == nil {
			continue
		}
		found[i] = nil
		if fault.KindOf(err) == fault.Local && !errors.Is(err, fs.ErrNotExist) {
			l.isTroubled = true
		}
		// A file that is gone was replaced: its seed changes again.
		if ctx.Err() == nil && !errors.Is(err, fs.ErrNotExist) {
			l.log(err)
		}
	}
	return found
}

// fillTerms numbers what the clean statements of a seed use. They are those of the entry before where the clean file
// is the same.
func (c *change) fillTerms(seed *seedlist.Seed) {
	c.is.mark = 0
	mark := termMark(seed)
	var counted *statistics.Terms
	isSame := mark != 0 && c.loaded.terms != nil && mark == c.was.mark
	if mark != 0 && c.loaded.terms != nil && !isSame {
		if counted = c.loaded.by[cleanOf(seed)]; counted != nil {
			c.is.mark = mark
		}
	}
	if isSame {
		c.is.mark = mark
	}
	isUnread := mark != 0 && c.loaded.terms != nil && c.is.mark == 0
	for f := firstTerm; f < facetCount; f++ {
		begin := len(c.is.ids)
		switch {
		case isSame:
			c.is.ids = append(c.is.ids, c.was.values(f)...)
		case counted != nil:
			c.values = appendTerms(c.values[:0], f, counted)
			c.appendNumbers(f)
		case isUnread && f == Statistics:
			c.values = append(c.values[:0], StatisticsUnread)
			c.appendNumbers(f)
		}
		c.endFacet(f, begin)
	}
}

// appendTerms appends the values of a facet that a document has.
func appendTerms(values []string, f Facet, t *statistics.Terms) []string {
	var names []string
	switch f {
	case Class:
		names = t.Classes
	case Property:
		names = t.Properties
	case Vocabulary:
		names = t.Vocabularies
	case Datatype:
		names = t.Datatypes
	case Language:
		names = t.Languages
	case LinksTo:
		names = t.Hosts
	case Statistics:
		if t.IsCut {
			values = append(values, StatisticsCut)
		}
	}
	for _, name := range names {
		if name != "" {
			values = append(values, TermValue(name))
		}
	}
	return values
}

// Uses says that a document has all of these values; those of other facets than terms are not asked.
func Uses(t *statistics.Terms, where map[Facet]string) bool {
	for f, value := range where {
		if f >= firstTerm && !slices.Contains(appendTerms(nil, f, t), value) {
			return false
		}
	}
	return true
}

// retryUnread reads again some files that could not be read, once in a while.
func (v *Views) retryUnread(ctx context.Context, known standing) error {
	if v.terms == nil || time.Since(v.retried) < retryPause {
		return nil
	}
	v.retried = time.Now()
	page, err := v.List(ctx, Query{Where: map[Facet]string{Statistics: StatisticsUnread}, Cursor: v.retriedTo, Limit: maxRetried})
	if err != nil {
		return err
	}
	v.retriedTo = page.Next
	if len(page.Numbers) == 0 {
		return nil
	}
	_, err = v.apply(ctx, known, known.asOf, nil, page.Numbers)
	return err
}
