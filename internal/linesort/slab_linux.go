package linesort

import (
	"math"
	"runtime/debug"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// limiting guards the memory limit of the program, which slabs take part of.
var limiting sync.Mutex

// mapSlab takes n bytes from the operating system, in huge pages where there are any; nil if there is
// no memory. Lines go to hundreds of places in it. With small pages the processor would look most of
// them up in the page table again. The garbage collector does not know of it, so what it may take
// itself becomes less.
func mapSlab(n int) []byte {
	slab, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	unix.Madvise(slab, unix.MADV_HUGEPAGE) // a wish
	changeLimit(-int64(n))
	return slab
}

// unmapSlab gives a slab back. Nothing in it may be used any more.
func unmapSlab(slab []byte) {
	unix.Munmap(slab)
	changeLimit(int64(len(slab)))
}

// wishHuge asks for huge pages for n bytes of the collected heap that were just allocated, if
// that is worth it. What is sorted is read in no order.
func wishHuge(memory unsafe.Pointer, n int) {
	if n >= 2*hugePage && uintptr(memory)%pageSize == 0 { // as all that is so large
		unix.Madvise(unsafe.Slice((*byte)(memory), n), unix.MADV_HUGEPAGE) // a wish
	}
}

// emptySlab gives back the memory behind a part of a slab, which holds zeros then.
func emptySlab(part []byte) { unix.Madvise(part, unix.MADV_DONTNEED) }

// changeLimit changes the limit of the garbage collector's memory, if it has one.
func changeLimit(by int64) {
	limiting.Lock()
	defer limiting.Unlock()
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		debug.SetMemoryLimit(limit + by)
	}
}
