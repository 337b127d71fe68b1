package archive_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zip"
	"github.com/mholt/archives"

	"laundromat/archive"
	"laundromat/internal/fault"
)

// costs runs work and returns the time that it took and the bytes that it allocated.
func costs(work func()) (time.Duration, uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	work()
	spent := time.Since(start)
	runtime.ReadMemStats(&after)
	return spent, after.TotalAlloc - before.TotalAlloc
}

// wide opens all that lies in data and goes on past what reaches a limit, as the wash
// does. It returns how many bytes came out of leaves, how many
// archives were opened, and the first error.
func wide(t testing.TB, data string, limits archive.Limits) (bytes int64, opened int, first error) {
	var open func(archive.Source, archive.Limits) error
	open = func(src archive.Source, limits archive.Limits) error {
		ctx := context.Background()
		o, err := archive.Open(ctx, src, "", limits, nil)
		if err != nil {
			return err
		}
		defer o.Close()
		opened++
		if o.Format == "" {
			r, err := o.Reader(ctx)
			if err != nil {
				return err
			}
			defer r.Close()
			n, err := io.Copy(io.Discard, r)
			bytes += n
			return err
		}
		inside := o.Inside()
		return o.Entries(ctx, func(e archive.Entry, r io.Reader) error {
			s, err := archive.Spool(ctx, r, t.TempDir(), 1<<20)
			if err == nil {
				defer s.Close()
				err = open(s, inside)
			}
			if err != nil && first == nil {
				first = err
			}
			return nil
		})
	}
	if err := open(strings.NewReader(data), limits); first == nil {
		first = err
	}
	return bytes, opened, first
}

// nested is a zip of 16 zips of 16 zips … of a megabyte of zeros, as 42.zip is made.
func nested(t testing.TB, levels int) string {
	inner := zipOf(t, zip.Deflate, member{"page", strings.Repeat("\x00", 1<<20)})
	for range levels {
		members := make([]member, 16)
		for i := range members {
			members[i] = member{fmt.Sprintf("lib %x.zip", i), inner}
		}
		inner = zipOf(t, zip.Deflate, members...)
	}
	return inner
}

func TestNestedZipsStayBelowTheRatioOfTheOutermost(t *testing.T) {
	bomb := nested(t, 5) // a terabyte
	var err error
	var out int64
	var opened int
	spent, allocated := costs(func() { out, opened, err = wide(t, bomb, archive.Limits{}) })
	most := max(int64(len(bomb))*1000, 64<<20)
	if fault.CodeOf(err) != fault.LimitArchiveRatio {
		t.Errorf("error %v", err)
	}
	if out > most+1<<20 || opened > 100_000 || spent > time.Minute || allocated > 2<<30 {
		t.Errorf("of %d bytes: %d came out, %d archives were opened, in %v with %d bytes allocated", len(bomb), out, opened, spent,
			allocated)
	}
}

// Of each bomb more could come than of anything may: that there is still more of it is not seen.
func TestAGigabyteFromAKilobyteIsStopped(t *testing.T) {
	const size = 70 << 20
	zeros := strings.Repeat("\x00", size)
	for name, c := range map[string]struct {
		compressor archives.Compressor
		layers     int
		streams    int // of a part of the zeros each, one after another
	}{
		"bzip2": {archives.Bz2{}, 1, 1}, "zstd": {archives.Zstd{}, 1, 1}, "brotli": {archives.Brotli{}, 1, 1}, "xz": {archives.Xz{}, 1, 70},
		"lzip": {archives.Lzip{}, 1, 10}, "gzip": {archives.Gz{}, 2, 1}, "lz4": {archives.Lz4{}, 2, 1},
	} {
		data := strings.Repeat(pack(t, c.compressor, zeros[:size/c.streams]), c.streams)
		for range c.layers - 1 {
			data = pack(t, c.compressor, data)
		}
		if len(data) > 50_000 {
			t.Errorf("%s: the bomb itself has %d bytes", name, len(data))
		}
		file := "bomb"
		if name == "brotli" {
			file = "bomb.br"
		}
		var got *read
		spent, allocated := costs(func() { got = drainNamed(t, data, file, archive.Limits{}) })
		if fault.CodeOf(got.err) != fault.LimitArchiveRatio || allocated > 256<<20 || spent > 30*time.Second {
			t.Errorf("%s: error %v, in %v with %d bytes allocated", name, got.err, spent, allocated)
		}
		// The other limit on what comes out stops it as well, and sooner, with its own code.
		got = drainNamed(t, data, file, archive.Limits{Bytes: 10 << 20})
		if fault.CodeOf(got.err) != fault.LimitArchiveBytes {
			t.Errorf("%s: error %v", name, got.err)
		}
	}
}

func TestAMillionEntriesAreCountedAndNotHeld(t *testing.T) {
	n := 1_000_001
	if testing.Short() {
		n = 50_001
	}
	var b bytes.Buffer
	entry := []byte(zipOf(t, zip.Store, member{"e", ""}))
	local := bytes.Index(entry, []byte("PK\x01\x02"))
	record := entry[local:bytes.Index(entry, []byte("PK\x05\x06"))]
	b.Write(entry[:local])
	b.Write(bytes.Repeat(record, n))
	end := []byte("PK\x05\x06\x00\x00\x00\x00\xFF\xFF\xFF\xFF")
	end = binary.LittleEndian.AppendUint32(end, uint32(len(record)*n))
	end = binary.LittleEndian.AppendUint32(end, uint32(local))
	b.Write(append(end, 0, 0))
	bomb := b.String()
	count := 0
	limits := archive.Limits{Entries: int64(n - 1)}
	o, err := archive.Open(context.Background(), strings.NewReader(bomb), "", limits, nil)
	if err != nil {
		t.Fatal(err)
	}
	var peak uint64
	err = o.Entries(context.Background(), func(archive.Entry, io.Reader) error {
		if count++; count%100_000 == 0 {
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			peak = max(peak, now.HeapAlloc)
		}
		return nil
	})
	if fault.CodeOf(err) != fault.LimitArchiveEntries || count != n-1 {
		t.Errorf("error %v after %d entries", err, count)
	}
	if peak > 512<<20 {
		t.Errorf("%d bytes were held", peak)
	}
}

// quine is a gzip stream that unpacks to itself. Its instructions, of five bytes each,
// write what comes next in it and repeat what was just written (after R. Cox, Zip Files All
// The Way Down). It has no last block, so each of its layers is cut short.
func quine() string {
	head := "\x1F\x8B\x08\x08\x00\x00\x00\x00\x00\xFFself\x00" // three units
	write := "\x00\x14\x00\xEB\xFF"                            // a stored block of four units
	repeat := repeatFour()
	end := strings.Repeat("\x00\x00\x00\xFF\xFF", 4)
	return head + write + head + write + repeat + write + repeat + write + repeat + write + repeat + write + end
}

// repeatFour is a block of five bytes that repeats the last twenty: ten bytes from
// twenty back, twice.
func repeatFour() string {
	var bits []byte
	high := func(v, n int) { // codes begin with their highest bit
		for n--; n >= 0; n-- {
			bits = append(bits, byte(v>>n&1))
		}
	}
	bits = append(bits, 0, 1, 0) // not the last; fixed codes
	for range 2 {
		high(264-256, 7)             // length 10
		high(8, 5)                   // distance 17 and more
		bits = append(bits, 1, 1, 0) // three more
	}
	high(0, 7) // end of the block
	out := make([]byte, len(bits)/8)
	for i, bit := range bits {
		out[i/8] |= bit << (i % 8)
	}
	return string(out)
}

func TestAGzipThatUnpacksToItselfIsStopped(t *testing.T) {
	bomb := quine()
	got := readAll(t, bomb, "", archive.Limits{Depth: 1})
	if got.leaf != "" || fault.CodeOf(got.err) != fault.LimitArchiveDepth {
		t.Errorf("depth 1: %q, error %v", got.leaf, got.err)
	}
	spent, allocated := costs(func() { got = readAll(t, bomb, "", archive.Limits{}) })
	if fault.CodeOf(got.err) != fault.LimitArchiveDepth || spent > 20*time.Second || allocated > 256<<20 {
		t.Errorf("error %v, in %v with %d bytes allocated", got.err, spent, allocated)
	}
}

func TestASiblingOfABombIsReadInItsShare(t *testing.T) {
	limits := archive.Limits{}
	source := int64(1 << 20)
	share := limits.ShareOf(source, 1000, 100_000)
	if share != 1000*source/100 {
		t.Errorf("share %d", share)
	}
	inner := limits
	inner.Share = share
	if deeper := inner.ShareOf(1000, 10, 10); deeper > share {
		t.Errorf("an entry may give %d, more than its archive's %d", deeper, share)
	}
	bomb := gz(t, strings.Repeat("\x00", 2<<20))
	inner.Share = 1 << 20
	if got := drain(t, bomb, inner); fault.CodeOf(got.err) != fault.LimitArchiveRatio {
		t.Errorf("error %v", got.err)
	}
}
