package linesort

import (
	"sync"
	"unsafe"
)

// memory hands out the buffers of chunks and counts them. It is shared with the
// goroutine that writes them to disk and gives them back.
type memory struct {
	mu    sync.Mutex
	freed sync.Cond
	limit int64
	used  int64
	most  int64 // that was ever used
	going int64 // bytes of used that are on their way to disk
	size  int   // of a chunk
	free  [][]byte

	slabs    [][]byte // what was mapped for chunks, until close
	slabSize int      // of each
	slabsIn  int64    // bytes in use from which on chunks are mapped: a small sort has no need of it
	idle     [][]byte // chunks of slabs without memory behind them
}

const (
	// slab is how much is mapped at once, in bytes: several huge pages, of 2 MiB as a rule.
	// It takes no memory before it is used.
	slab = 16 << 20
	// slabsFrom is the bytes in use from which on there are slabs.
	slabsFrom = 4 << 20
	// pageSize is the least that can be given back of a slab.
	pageSize = 4 << 10
	// hugePage is what most systems have.
	hugePage = 2 << 20
)

// firstChunks serve again, in other sorts too: most sorts need no other.
var firstChunks = sync.Pool{New: func() any { return new([smallestChunk]byte) }}

func (m *memory) init(limit int64, size int) {
	m.limit, m.size, m.slabSize, m.slabsIn = limit, size, slab, slabsFrom
	m.freed.L = &m.mu
}

// take returns an empty buffer of n bytes, or nil if there is no room and force is not set.
// If room gets scarce and nothing is on its way to disk, low is true.
func (m *memory) take(n int, force bool) (buffer []byte, low bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer func() { m.most = max(m.most, m.used) }()
	room := m.limit - m.used - int64(len(m.free)*m.size)
	switch {
	case n == m.size && len(m.free) > 0:
		buffer = pop(&m.free)
	case n == m.size && len(m.idle) > 0 && (room >= int64(n) || force):
		buffer = pop(&m.idle)
	case n == m.size && room >= int64(m.slabSize) && m.used >= m.slabsIn && m.mapMore():
		buffer = pop(&m.free)
	case room >= int64(n) || force:
		if n == smallestChunk {
			buffer = firstChunks.Get().(*[smallestChunk]byte)[:0]
		} else {
			buffer = make([]byte, 0, n)
		}
	case m.used+int64(n) <= m.limit:
		m.drop() // room enough, but in buffers of another size
		buffer = make([]byte, 0, n)
	}
	if buffer != nil {
		m.used += int64(n)
	}
	return buffer, m.going == 0 && m.used > m.limit/8*7
}

// lower makes the limit another, and returns what it was and how much is in use.
func (m *memory) lower(limit int64) (before, used int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before, m.limit = m.limit, min(limit, m.limit)
	return before, m.used
}

func pop(list *[][]byte) []byte {
	last := len(*list) - 1
	b := (*list)[last]
	(*list)[last], *list = nil, (*list)[:last]
	return b
}

// mapMore maps a slab of free chunks, if the operating system has one.
func (m *memory) mapMore() bool {
	if m.size%pageSize != 0 || m.size > m.slabSize {
		return false
	}
	slab := mapSlab(m.slabSize)
	if slab == nil {
		return false
	}
	m.slabs = append(m.slabs, slab)
	for at := 0; at+m.size <= len(slab); at += m.size {
		m.free = append(m.free, slab[at:at:at+m.size])
	}
	return true
}

// drop gives the memory of all free chunks back.
func (m *memory) drop() {
	for _, b := range m.free {
		if m.isMapped(b) {
			emptySlab(b[:cap(b)])
			m.idle = append(m.idle, b)
		}
	}
	m.free = nil
}

func (m *memory) isMapped(b []byte) bool {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	for _, slab := range m.slabs {
		if from := uintptr(unsafe.Pointer(unsafe.SliceData(slab))); from <= at && at < from+uintptr(len(slab)) {
			return true
		}
	}
	return false
}

// close gives all memory back. No buffer may be in use any more.
func (m *memory) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, slab := range m.slabs {
		unmapSlab(slab)
	}
	m.slabs, m.free, m.idle = nil, nil, nil
}

// send marks n bytes as being on their way to disk.
func (m *memory) send(n int64) {
	m.mu.Lock()
	m.going += n
	m.mu.Unlock()
}

// release takes buffers back; sent says that they were on their way to disk.
func (m *memory) release(sent bool, buffers ...[]byte) {
	m.mu.Lock()
	for _, b := range buffers {
		m.used -= int64(cap(b))
		if sent {
			m.going -= int64(cap(b))
		}
		switch cap(b) {
		case m.size:
			m.free = append(m.free, b[:0])
		case smallestChunk:
			firstChunks.Put((*[smallestChunk]byte)(b[:smallestChunk]))
		}
	}
	m.mu.Unlock()
	m.freed.Broadcast()
}

// wait waits until something on its way to disk is given back; it reports false
// at once if nothing is.
func (m *memory) wait() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := m.going
	if before == 0 {
		return false
	}
	for m.going == before {
		m.freed.Wait()
	}
	return true
}
