package linesort

import (
	"bytes"
	"slices"

	"laundromat/internal/commonprefix"
)

// ranges cuts the order of lines at splitters: bucket i takes the lines from
// splitter i-1 (with it) up to splitter i (without it).
type ranges struct {
	splitters [][]byte // strictly rising
	tree      *branch  // finds a line among them
	buckets   []*bucket
	current   int  // the bucket of the last line; the next often goes there too
	stays     bool // the last line went where the one before did: so may the next
	strangers int  // how many lines since the last that began with the word of the one before it
}

// Where so many lines had nothing in common with the one before, that is asked of one in so many alone.
const (
	manyStrangers = 256
	askedOnce     = 8
)

// newRanges makes the empty buckets between splitters.
func newRanges(splitters [][]byte) *ranges {
	r := &ranges{splitters: splitters, tree: newBranch(splitters, 0, 0)}
	for i := range len(splitters) + 1 {
		b := newBucket()
		if i > 0 {
			b.low = splitters[i-1]
		}
		if i < len(splitters) {
			b.high = splitters[i]
		}
		if i > 0 && i < len(splitters) {
			x, y := splitters[i-1], splitters[i]
			if b.equal = len(y) == len(x)+1 && y[len(x)] == 0 && bytes.Equal(x, y[:len(x)]); !b.equal {
				b.common = x[:commonprefix.Common(x, y, 0)]
			}
		}
		r.buckets = append(r.buckets, b)
	}
	return r
}

// at returns the bucket of line, and how much of it the bucket's base shares.
func (r *ranges) at(line []byte) (b *bucket, shared int) {
	b = r.buckets[r.current]
	if r.strangers++; r.strangers < manyStrangers || r.strangers%askedOnce == 0 {
		if shared = b.shares(line); shared > 0 {
			r.strangers = 0
		}
	}
	if shared > 0 && b.isWhole() || len(r.splitters) == 0 {
		return b, shared
	}
	if r.stays && (b.low == nil || bytes.Compare(b.low, line) <= 0) && (b.high == nil || bytes.Compare(b.high, line) > 0) {
		return b, shared
	}
	i := r.find(line)
	if r.stays = i == r.current; r.stays {
		return b, shared
	}
	r.current = i
	b = r.buckets[i]
	if shared == 0 { // lines that share a word come one after the other, or are in no order
		return b, 0
	}
	return b, b.shares(line)
}

// find counts the splitters that are not after line.
func (r *ranges) find(line []byte) int { return r.tree.find(line) }

// unsettled says that a line may belong to several ranges. It begins with text, which is a
// proper prefix of a splitter, and goes on with a key that is not known yet. Such splitters
// stand side by side, and text next to one of them.
func (r *ranges) unsettled(text []byte) bool {
	i := r.find(text) // splitters that go on where text ends come after it
	return i < len(r.splitters) && bytes.HasPrefix(r.splitters[i], text)
}

// longestSplitter bounds what the first splitters take, in bytes each.
const longestSplitter = 4 << 10

// genidPath is the end of the path of skolem IRIs, after which keys follow.
var genidPath = []byte("/.well-known/genid/")

// rawSplitters chooses splitters for count ranges from a sample of lines whose keys
// are not known, and puts the sample in order. A splitter ends where a key may
// be in some line.
func rawSplitters(sample [][]byte, count int) [][]byte {
	return splitters(sample, count, func(s []byte) []byte {
		if i := bytes.IndexByte(s, keyMark); i >= 0 {
			s = s[:i]
		}
		if i := bytes.Index(s, genidPath); i >= 0 {
			s = s[:i+len(genidPath)]
		}
		return s[:min(len(s), longestSplitter)]
	})
}

// realSplitters chooses splitters for count ranges from a sample of lines with
// their keys, and puts the sample in order. There is at least one, and each range
// between them has less than all the lines that the sample stands for.
func realSplitters(sample [][]byte, count int) [][]byte {
	return splitters(sample, count, func(s []byte) []byte { return s })
}

// splitters takes every n-th line of the sample as a splitter, as short as may be.
// The lines of the sample may become splitters, and must not share memory.
// A line that occurs more than once in the sample gets a range of its own. The range is
// between the line and its successor in the order of all strings, which is the line and a
// zero byte.
func splitters(sample [][]byte, count int, cut func([]byte) []byte) [][]byte {
	slices.SortFunc(sample, bytes.Compare)
	count = max(2, min(count, len(sample)))
	var chosen [][]byte
	add := func(s []byte) {
		if last := len(chosen) - 1; len(s) > 0 && (last < 0 || bytes.Compare(chosen[last], s) < 0) {
			chosen = append(chosen, s)
		}
	}
	for j := 1; j < count; j++ {
		i := len(sample) * j / count
		line := sample[i]
		switch {
		case i == 0 || bytes.Equal(sample[i-1], line):
			if len(cut(line)) < len(line) {
				add(slices.Clone(cut(line)))
				continue
			}
			successor := append(line, 0) // in place: the sample leaves room
			add(successor[:len(line)])
			add(successor)
		default:
			n := commonprefix.Common(sample[i-1], line, 0)
			add(slices.Clone(cut(line[:min(n+1, len(line))])))
		}
	}
	return chosen
}
