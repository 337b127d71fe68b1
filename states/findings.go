package states

import (
	"sync"

	"laundromat/internal/content"
	"laundromat/internal/fault"
	"laundromat/internal/report"
	"laundromat/rdf/format"
)

// findings takes the notices of one document: those about its transport and its
// layers, which come once however often the bytes are read, and those of each
// reading, of which only the last counts.
type findings struct {
	make      func() *report.Collector
	collector *report.Collector
	lasting   []fault.Notice // to be given to the collector of the next reading
	once      bool           // there will be none

	// While readings go on on other goroutines, what is found in layers waits.
	mu      sync.Mutex
	queues  int // such readings
	waiting []fault.Notice
}

func newFindings(make func() *report.Collector) *findings {
	return &findings{make: make, collector: make()}
}

// layer takes a finding about transport or layers, on any goroutine between queue and
// unqueue.
func (f *findings) layer(n fault.Notice) {
	f.mu.Lock()
	queued := f.queues > 0
	if queued {
		f.waiting = append(f.waiting, n)
	}
	f.mu.Unlock()
	if !queued {
		f.take(n)
	}
}

// queue makes findings about layers wait for deliver.
func (f *findings) queue() {
	f.mu.Lock()
	f.queues++
	f.mu.Unlock()
}

// unqueue ends what queue began.
func (f *findings) unqueue() {
	f.mu.Lock()
	f.queues--
	f.mu.Unlock()
	f.deliver()
}

// deliver takes the findings that wait.
func (f *findings) deliver() {
	f.mu.Lock()
	waiting := f.waiting
	f.waiting = nil
	f.mu.Unlock()
	for _, n := range waiting {
		f.take(n)
	}
}

func (f *findings) take(n fault.Notice) {
	if !f.once {
		f.lasting = append(f.lasting, n)
	}
	f.collector.Notice(n)
}

// readOnce says that again will not be called, as for a container, whose entries
// may each give a finding: none is kept for it.
func (f *findings) readOnce() { f.once, f.lasting = true, nil }

// again begins a reading: what the one before found is forgotten.
func (f *findings) again() *report.Collector {
	f.collector = f.make()
	for _, n := range f.lasting {
		f.collector.Notice(n)
	}
	return f.collector
}

// statements are the sums of a reading: what is lost in transport and layers is
// lost too.
func (f *findings) statements(kept, repaired int64) content.Statements {
	dropped := f.collector.Lost()
	return content.Statements{Read: kept + repaired + dropped, Kept: kept, Repaired: repaired, Dropped: dropped, Written: kept + repaired}
}

// sourcesOf completes the counts of a page's sources: what was read, that is lost, and
// stands in none of them, is the page's. It is nil for other formats.
func sourcesOf(parsed *Parsed, read int64) report.Sources {
	if parsed.Format != format.HTML {
		return nil
	}
	all := report.Sources{}
	for name, n := range parsed.Sources {
		all[name] = n
		read -= n
	}
	if read > 0 {
		all[report.PageSource] = read
	}
	return all
}
