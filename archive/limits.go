package archive

import (
	"math"
	"sync/atomic"

	"laundromat/internal/fault"
)

// Limits bound what unpacking may cost. A zero value is the default. A reached
// limit ends the work with a fault.Error of kind Limit, after what came before
// has been handed on. An entry that alone reaches the ratio costs only itself, as long as
// there are not many. Its reader returns that error, and the others are read.
type Limits struct {
	// Depth is how many layers, filters and containers together, may lie in each
	// other: 32. Less than 0: none.
	Depth int
	// Entries is how many entries may be met, of all kinds, in all containers
	// together: 1,000,000.
	Entries int64
	// Bytes is how many bytes may be unpacked, all together: 1 TiB.
	Bytes int64
	// Ratio is how many bytes may come out for each byte of the source. All together may
	// give as many for each byte of the outermost source. It is 1,000, and never less than
	// 64 MiB in all. Gzip reaches 1,032 with nothing but one repeated byte; data lies below
	// 100, and far below with gzip.
	Ratio int64
	// Share is how many bytes the ratio of the outermost file leaves to this one,
	// where that was opened elsewhere; 0: this is the outermost. See [Limits.ShareOf].
	Share int64
	// Memory is how much the window of one decoder may take, in bytes: 128 MiB. Windows take
	// memory for what is there; data that needs more than that ends with limit/memory.
	Memory int64
	// Temp is the folder for a container that lies within filters and can't be
	// read as a stream (zip, 7z, rar); "" is the system's.
	Temp string

	spent *spent // shared by all that is opened inside
}

const (
	defaultDepth   = 32
	defaultEntries = 1_000_000
	defaultBytes   = 1 << 40
	defaultRatio   = 1000
	freeBytes      = 64 << 20 // may come out of anything, whatever the ratio
	maxWindows     = 3        // filters in one chain that each hold a window
	defaultWindow  = 128 << 20
	leastWindow    = 1 << 20
	mostWindow     = 1<<32 - 1
	spoolMemory    = 1 << 20 // a container within filters is held in memory up to this
)

// spent is the account of all that was unpacked so far.
type spent struct {
	bytes   atomic.Int64
	entries *atomic.Int64
	wasted  atomic.Int64 // bytes that came out of what reached the ratio, and are not in bytes
	weighed atomic.Int64 // how often names were weighed for their encoding
	size    int64        // of the outermost source
	most    int64        // bytes that its ratio allows
}

// begin opens the account for the outermost source.
func (l *Limits) begin(size int64) {
	if l.spent == nil {
		l.spent = &spent{size: size, most: l.byRatio(size), entries: &atomic.Int64{}}
	}
}

func (l *Limits) applyDefaults() {
	if l.Depth == 0 {
		l.Depth = defaultDepth
	}
	if l.Entries <= 0 {
		l.Entries = defaultEntries
	}
	if l.Bytes <= 0 {
		l.Bytes = defaultBytes
	}
	if l.Ratio <= 0 {
		l.Ratio = defaultRatio
	}
	if l.Memory <= 0 {
		l.Memory = defaultWindow
	}
}

// window is how much memory the window of a decoder may take.
func (l *Limits) window() int { return int(min(max(l.Memory, leastWindow), mostWindow)) }

// byRatio is how many bytes may come out of a source of that size.
func (l *Limits) byRatio(size int64) int64 {
	most := int64(math.MaxInt64)
	if size <= math.MaxInt64/l.Ratio {
		most = max(size*l.Ratio, freeBytes)
	}
	if l.Share > 0 {
		most = min(most, l.Share)
	}
	return most
}

// ShareOf is how many bytes may come out of an entry of size bytes. All entries, of total
// bytes together, share what a source of that many bytes may give. So all that lies in each
// other stays below the ratio, whoever opens it when.
func (l Limits) ShareOf(source, size, total int64) int64 {
	l.applyDefaults()
	return max(int64(float64(l.byRatio(source))*float64(size)/float64(max(total, size, 1))), 1)
}

// most is how many bytes one layer over a source of that size may give.
func (l *Limits) most(size int64) int64 { return min(l.byRatio(size), l.Bytes) }

// exceeded makes the error of a layer that gave more than most.
func (l *Limits) exceeded(size, n int64) error {
	if n > l.byRatio(size) {
		return ratioError(size, n-1, l.Ratio)
	}
	return bytesError(l.Bytes)
}

// spend counts bytes that were unpacked.
func (l *Limits) spend(n int64) error {
	switch all := l.spent.bytes.Add(n); {
	case all > l.Bytes:
		return bytesError(l.Bytes)
	case all > l.spent.most:
		return ratioError(l.spent.size, all-1, l.Ratio)
	}
	return nil
}

// maxWaste is how many bytes of entries that reach the ratio are borne with, even in a small file.
const maxWaste = 1 << 30

// isBomb says that n bytes of one thing are most of what may come.
func (l *Limits) isBomb(n int64) bool { return 2*n > l.spent.most }

// takeBack takes bytes off the account that came out of what reached the ratio; false if that
// were too many of these.
func (l *Limits) takeBack(n int64) bool {
	if !l.waste(n) {
		return false
	}
	l.spent.bytes.Add(-n)
	return true
}

// waste counts bytes that were unpacked for nothing; false if they are too many.
func (l *Limits) waste(n int64) bool {
	return l.spent.wasted.Add(n) <= max(min(l.spent.most, l.Bytes), maxWaste)
}

// meet counts an entry.
func (l *Limits) meet() error {
	if l.spent.entries.Add(1) > l.Entries {
		return fault.New("archive.Entries", fault.Limit, fault.LimitArchiveEntries,
			"more than %d entries", l.Entries)
	}
	return nil
}

func ratioError(size, n, ratio int64) error {
	return fault.New("archive.Read", fault.Limit, fault.LimitArchiveRatio,
		"more than %d bytes came out of %d bytes: more than %d for one", n, size, ratio)
}

func bytesError(limit int64) error {
	return fault.New("archive.Read", fault.Limit, fault.LimitArchiveBytes,
		"unpacks to more than %d bytes", limit)
}

func depthError(limit int) error {
	return fault.New("archive.Open", fault.Limit, fault.LimitArchiveDepth,
		"more than %d layers lie in each other", max(limit, 0))
}

func windowsError() error {
	return fault.New("archive.Open", fault.Limit, fault.LimitArchiveDepth,
		"more than %d layers lie in each other whose decoders each hold much memory (xz, zstd, lzip, LZMA, lzop), whatever the limit on "+
			"all layers", maxWindows)
}

// Below returns the limits that are left for what lies that many layers deep in
// something else. The account of bytes and entries is not shared: see
// [Opened.Inside] for where it is, and [Opened.CountOn].
func (l Limits) Below(layers int) Limits {
	l.applyDefaults()
	l.spent = nil
	l.Depth -= layers
	if l.Depth == 0 {
		l.Depth = -1 // 0 would be the default
	}
	return l
}
