package reconcile

import (
	"context"
	"encoding/binary"
	"os"
	"slices"
	"sync"
	"unsafe"
)

// lists are the k likest of each record, in memory, or in a temporary file where they are many.
type lists struct {
	k    int
	held []candidate
	file *os.File
}

func newLists(n, k int, temp string, memory int64) (*lists, error) {
	l := &lists{k: k}
	size := int64(n) * int64(k) * candidateBytes
	if size <= memory {
		l.held = make([]candidate, n*k)
		return l, nil
	}
	file, err := os.CreateTemp(temp, "laundromat-merge-*")
	if err != nil {
		return nil, err
	}
	os.Remove(file.Name())
	l.file = file
	return l, file.Truncate(size)
}

// load reads the likest of the records from…to, into those that are given if they have to be read.
func (l *lists) load(from, to int, into []candidate) ([]candidate, error) {
	if l.file == nil {
		return l.held[from*l.k : to*l.k], nil
	}
	into = slices.Grow(into[:0], (to-from)*l.k)[:(to-from)*l.k]
	_, err := l.file.ReadAt(bytesOf(into), int64(from*l.k)*candidateBytes)
	return into, err
}

// store keeps the likest of the records that begin with from.
func (l *lists) store(from int, rows []candidate) error {
	if l.file == nil {
		return nil // they are those that are held
	}
	_, err := l.file.WriteAt(bytesOf(rows), int64(from*l.k)*candidateBytes)
	return err
}

func bytesOf(rows []candidate) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(rows))), len(rows)*candidateBytes)
}

func (l *lists) close() {
	if l.file != nil {
		l.file.Close()
		os.Remove(l.file.Name())
	}
}

// pair is two records that may be the same.
type pair struct {
	a, b uint32
	z    float64
}

// pairList is pairs of records, sorted, each once.
type pairList struct {
	arena
	n int
}

// pairsTogether is how many pairs are in memory at once, of many.
const pairsTogether = 1 << 20

// get reads pairs from a number on, up to so many.
func (l *pairList) get(from, n int, into []pair) ([]pair, error) {
	n = min(n, l.n-from)
	var buffer []byte
	b, err := l.at(int64(from)*8, n*8, &buffer)
	into = slices.Grow(into[:0], n)[:n]
	for i := range into {
		k := binary.LittleEndian.Uint64(b[8*i:])
		into[i] = pair{a: uint32(k >> 32), b: uint32(k)}
	}
	return into, err
}

// Pairs are sorted at once that begin with one of so many records, and of more if there would be too many parts: each
// has a file.
const (
	recordsTogether = 1 << 17
	mostPairParts   = 64
)

// united are the pairs of the candidates of all records, and those that a person answered.
func (x *index) united(ctx context.Context, best *lists) (*pairList, error) {
	n, k := x.table.compared, best.k
	together := max(recordsTogether, n/mostPairParts)
	parts := make([]arena, n/together+1)
	for i := range parts {
		parts[i] = arena{temp: x.opt.Temp, limit: max(1<<12, int(x.opt.Memory/4)/len(parts))}
		defer parts[i].close()
	}
	var piece [8]byte
	put := func(a, b uint32) error {
		a, b = min(a, b), max(a, b)
		binary.LittleEndian.PutUint64(piece[:], uint64(a)<<32|uint64(b))
		_, err := parts[int(a)/together].add(piece[:])
		return err
	}
	var rows []candidate
	for from := 0; from < n; from += chunk {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := min(from+chunk, n)
		var err error
		if rows, err = best.load(from, to, rows); err != nil {
			return nil, err
		}
		for i := range to - from {
			top := rows[i*k : (i+1)*k]
			if top[min(k, 3)-1].score == 0 {
				x.lonely++
			}
			for _, c := range top {
				if c.score == 0 {
					break
				}
				if err := put(uint32(from+i), c.record); err != nil {
					return nil, err
				}
			}
		}
	}
	for key := range x.fixed {
		if err := put(key.a, key.b); err != nil {
			return nil, err
		}
	}
	return x.sorted(ctx, parts)
}

// sorted sorts the pairs of parts of which each comes before the next.
func (x *index) sorted(ctx context.Context, parts []arena) (*pairList, error) {
	l := &pairList{arena: arena{temp: x.opt.Temp, limit: int(x.opt.Memory / 8)}}
	keys := make([][]uint64, max(1, min(x.opt.Workers, 4)))
	errs := make([]error, len(keys))
	for from := 0; from < len(parts); from += len(keys) {
		if err := ctx.Err(); err != nil {
			return l, err
		}
		some := parts[from:min(from+len(keys), len(parts))]
		var group sync.WaitGroup
		for i := range some {
			group.Go(func() { keys[i], errs[i] = some[i].sortedKeys(keys[i][:0]) })
		}
		group.Wait()
		for i := range some {
			if errs[i] != nil {
				return l, errs[i]
			}
			var piece [8]byte
			for _, k := range keys[i] {
				binary.LittleEndian.PutUint64(piece[:], k)
				if _, err := l.add(piece[:]); err != nil {
					return l, err
				}
			}
			l.n += len(keys[i])
		}
	}
	return l, l.seal()
}

// sortedKeys reads an arena of numbers, and sorts them, each once. The arena is closed.
func (a *arena) sortedKeys(into []uint64) ([]uint64, error) {
	defer a.close()
	if err := a.seal(); err != nil {
		return nil, err
	}
	var buffer []byte
	size := int(a.size) + len(a.held)
	b, err := a.at(0, size, &buffer)
	if err != nil {
		return nil, err
	}
	for i := 0; i < size; i += 8 {
		into = append(into, binary.LittleEndian.Uint64(b[i:]))
	}
	slices.Sort(into)
	return slices.Compact(into), nil
}
