package schema

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"math/bits"
	"os"
	"slices"
)

// fingerprint stands for a key: two hashes of it by seeds of the run. Two keys of a hundred
// million have the same one with a chance below 1 in 10^22.
type fingerprint [2]uint64

func (a fingerprint) compare(b fingerprint) int {
	return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
}

const fingerprintSize = 16

// keySet is a set of fingerprints in bounded memory: a table, and sorted runs on disk of
// what the table had no room for. A filter before each run spares nearly all reads.
type keySet struct {
	seeds   [2]maphash.Seed
	slots   []fingerprint // open addressing; the zero fingerprint is an empty slot
	used    int
	most    int // slots
	runs    []*run
	count   int64
	maxKeys int64
	temp    string
}

// newKeySet makes a set that takes at most so many bytes of memory. Growing needs the old
// and the new table at a time.
func newKeySet(memory, maxKeys int64, temp string) *keySet {
	most := 1 << 10
	for int64(most)*2*fingerprintSize*3/2 <= memory {
		most *= 2
	}
	return &keySet{seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, slots: make([]fingerprint, 1<<10),
		most: most, maxKeys: maxKeys, temp: temp}
}

func (s *keySet) fingerprint(key []byte) fingerprint {
	f := fingerprint{maphash.Bytes(s.seeds[0], key), maphash.Bytes(s.seeds[1], key)}
	if f == (fingerprint{}) {
		f[1] = 1
	}
	return f
}

func (s *keySet) slot(f fingerprint) int {
	mask := len(s.slots) - 1
	at := int(f[1]) & mask
	for s.slots[at] != (fingerprint{}) && s.slots[at] != f {
		at = (at + 1) & mask
	}
	return at
}

// has says that the key is in the set.
func (s *keySet) has(f fingerprint) (bool, error) {
	if s.slots[s.slot(f)] == f {
		return true, nil
	}
	for _, r := range s.runs {
		if found, err := r.has(f); found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// add puts a key into the set; it says whether it was new.
func (s *keySet) add(f fingerprint) (bool, error) {
	if found, err := s.has(f); found || err != nil {
		return false, err
	}
	if s.count++; s.count > s.maxKeys {
		return false, limitError(fmt.Errorf("a key of the schema has more than %d values", s.maxKeys))
	}
	if (s.used+1)*4 > len(s.slots)*3 {
		if err := s.grow(); err != nil {
			return false, err
		}
	}
	s.slots[s.slot(f)] = f
	s.used++
	return true, nil
}

func (s *keySet) grow() error {
	if len(s.slots)*2 > s.most {
		return s.spill()
	}
	old := s.slots
	s.slots = make([]fingerprint, len(old)*2)
	for _, f := range old {
		if f != (fingerprint{}) {
			s.slots[s.slot(f)] = f
		}
	}
	return nil
}

// spill writes the table as a sorted run and empties it. Runs of one size are merged, so
// that there are few.
func (s *keySet) spill() error {
	slices.SortFunc(s.slots, fingerprint.compare)
	first := len(s.slots) - s.used // empty slots sort first
	w, err := newRunWriter(s.temp, int64(s.used))
	if err != nil {
		return err
	}
	for _, f := range s.slots[first:] {
		if err := w.write(f); err != nil {
			return err
		}
	}
	r, err := w.done()
	if err != nil {
		return err
	}
	clear(s.slots)
	s.used = 0
	for n := len(s.runs); n > 0 && s.runs[n-1].count <= r.count; n = len(s.runs) {
		if r, err = mergeRuns(s.temp, s.runs[n-1], r); err != nil {
			return err
		}
		s.runs = s.runs[:n-1]
	}
	s.runs = append(s.runs, r)
	return nil
}

// close gives the files back.
func (s *keySet) close() {
	for _, r := range s.runs {
		r.file.Close()
	}
	s.runs, s.slots = nil, nil
}

// run is a sorted file of fingerprints. The file has no name: it is gone with the process.
type run struct {
	file   *os.File
	count  int64
	filter []uint64 // a Bloom filter of 8 bits and 3 probes a key
}

const runBlock = 256 // fingerprints that are read at a time

// has seeks by where the fingerprint must be nearly: they are spread evenly.
func (r *run) has(f fingerprint) (bool, error) {
	if !r.maybe(f) {
		return false, nil
	}
	var room [runBlock * fingerprintSize]byte
	low, high := int64(0), (r.count-1)/runBlock // blocks
	lowValue, highValue := uint64(0), ^uint64(0)
	for low <= high {
		var share uint64
		if width := highValue - lowValue; width > 0 && f[0] > lowValue {
			product, rest := bits.Mul64(f[0]-lowValue, uint64(high-low))
			share, _ = bits.Div64(min(product, width-1), rest, width)
		}
		at := min(low+int64(share), high)
		n := min(runBlock, r.count-at*runBlock)
		block := room[:n*fingerprintSize]
		if _, err := r.file.ReadAt(block, at*runBlock*fingerprintSize); err != nil {
			return false, err
		}
		first, last := fingerprintAt(block, 0), fingerprintAt(block, int(n)-1)
		switch {
		case f.compare(first) < 0:
			high, highValue = at-1, first[0]
		case f.compare(last) > 0:
			low, lowValue = at+1, last[0]
		default:
			for i := range int(n) {
				if fingerprintAt(block, i) == f {
					return true, nil
				}
			}
			return false, nil
		}
	}
	return false, nil
}

func fingerprintAt(block []byte, i int) fingerprint {
	b := block[i*fingerprintSize:]
	return fingerprint{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
}

func (r *run) probe(f fingerprint, i uint64) (word int, bit uint64) {
	at, _ := bits.Mul64(f[1]+i*(f[0]|1), uint64(len(r.filter))*64)
	return int(at / 64), 1 << (at % 64)
}

func (r *run) maybe(f fingerprint) bool {
	for i := range uint64(3) {
		if word, bit := r.probe(f, i); r.filter[word]&bit == 0 {
			return false
		}
	}
	return true
}

type runWriter struct {
	run *run
	out *bufio.Writer
}

func newRunWriter(temp string, count int64) (*runWriter, error) {
	file, err := namelessFile(temp)
	if err != nil {
		return nil, err
	}
	return &runWriter{&run{file: file, filter: make([]uint64, count/8+1)}, bufio.NewWriterSize(file, 1<<16)}, nil
}

// namelessFile makes a temporary file that is gone when it is closed.
func namelessFile(temp string) (*os.File, error) {
	file, err := os.CreateTemp(temp, "laundromat-keys-")
	if err != nil {
		return nil, err
	}
	return file, os.Remove(file.Name())
}

func (w *runWriter) write(f fingerprint) error {
	for i := range uint64(3) {
		word, bit := w.run.probe(f, i)
		w.run.filter[word] |= bit
	}
	w.run.count++
	var b [fingerprintSize]byte
	binary.BigEndian.PutUint64(b[:], f[0])
	binary.BigEndian.PutUint64(b[8:], f[1])
	_, err := w.out.Write(b[:])
	return err
}

func (w *runWriter) done() (*run, error) { return w.run, w.out.Flush() }

func mergeRuns(temp string, a, b *run) (*run, error) {
	w, err := newRunWriter(temp, a.count+b.count)
	if err != nil {
		return nil, err
	}
	readers := [2]*bufio.Reader{}
	heads, more := [2]fingerprint{}, [2]bool{}
	next := func(i int) error {
		var raw [fingerprintSize]byte
		_, err := io.ReadFull(readers[i], raw[:])
		if more[i] = err == nil; errors.Is(err, io.EOF) {
			return nil
		}
		heads[i] = fingerprintAt(raw[:], 0)
		return err
	}
	for i, r := range [2]*run{a, b} {
		readers[i] = bufio.NewReaderSize(io.NewSectionReader(r.file, 0, r.count*fingerprintSize), 1<<16)
		if err := next(i); err != nil {
			return nil, err
		}
	}
	for more[0] || more[1] {
		i := 0
		if !more[0] || more[1] && heads[1].compare(heads[0]) < 0 {
			i = 1
		}
		if err := w.write(heads[i]); err != nil {
			return nil, err
		}
		if err := next(i); err != nil {
			return nil, err
		}
	}
	a.file.Close()
	b.file.Close()
	return w.done()
}
