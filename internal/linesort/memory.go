package linesort

import "sync"

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
}

func (m *memory) init(limit int64, size int) {
	m.limit, m.size = limit, size
	m.freed.L = &m.mu
}

// take returns an empty buffer of n bytes, or nil if there is no room and force is
// not set. low says that room gets scarce and that nothing is on its way to disk.
func (m *memory) take(n int, force bool) (buffer []byte, low bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer func() { m.most = max(m.most, m.used) }()
	if last := len(m.free) - 1; n == m.size && last >= 0 {
		buffer, m.free[last], m.free = m.free[last], nil, m.free[:last]
		m.used += int64(n)
	} else if m.used+int64(n)+int64(len(m.free)*m.size) <= m.limit || force {
		buffer = make([]byte, 0, n)
		m.used += int64(n)
	} else if m.used+int64(n) <= m.limit {
		m.free = nil // room enough, but in buffers of another size
		buffer = make([]byte, 0, n)
		m.used += int64(n)
	}
	return buffer, m.going == 0 && m.used > m.limit/8*7
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
		if cap(b) == m.size {
			m.free = append(m.free, b[:0])
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
