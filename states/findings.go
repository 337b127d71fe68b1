package states

import (
	"sync"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/rdf/format"
	"laundromat/report"
)

// Findings takes the notices of one document. Those about its transport and its layers come once,
// however often the bytes are read. Of those of its readings, only the last reading's count.
type Findings struct {
	// Collector is that of the last reading, or of the current one.
	Collector *report.Collector

	make    func() *report.Collector
	lasting []fault.Notice // to be given to the collector of the next reading
	once    bool           // there will be none

	// While readings go on on other goroutines, what is found in layers waits.
	mu      sync.Mutex
	queues  int // such readings
	waiting []fault.Notice
}

// NewFindings makes the Findings of a document; make gives a collector for each reading.
func NewFindings(make func() *report.Collector) *Findings {
	return &Findings{make: make, Collector: make()}
}

// Layer takes a finding about transport or layers, on any goroutine between queue and
// unqueue.
func (f *Findings) Layer(n fault.Notice) {
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
func (f *Findings) queue() {
	f.mu.Lock()
	f.queues++
	f.mu.Unlock()
}

// unqueue ends what queue began.
func (f *Findings) unqueue() {
	f.mu.Lock()
	f.queues--
	f.mu.Unlock()
	f.deliver()
}

// deliver takes the findings that wait.
func (f *Findings) deliver() {
	f.mu.Lock()
	waiting := f.waiting
	f.waiting = nil
	f.mu.Unlock()
	for _, n := range waiting {
		f.take(n)
	}
}

func (f *Findings) take(n fault.Notice) {
	if !f.once {
		f.lasting = append(f.lasting, n)
	}
	f.Collector.Notice(n)
}

// ReadOnce says that Again will not be called, as for a container, whose entries
// may each give a finding: none is kept for it.
func (f *Findings) ReadOnce() { f.once, f.lasting = true, nil }

// Again begins a reading: what the one before found is forgotten.
func (f *Findings) Again() *report.Collector {
	f.Collector = f.make()
	for _, n := range f.lasting {
		f.Collector.Notice(n)
	}
	return f.Collector
}

// Statements are the sums of a reading: what is lost in transport and layers is
// lost too.
func (f *Findings) Statements(kept, repaired int64) digest.Statements {
	dropped := f.Collector.Lost()
	return digest.Statements{Read: kept + repaired + dropped, Kept: kept, Repaired: repaired, Dropped: dropped, Written: kept + repaired}
}

// PageSources are the counts of a page's sources, complete: of the statements read, those that
// are lost and belong to no source are the page's. It is nil for other formats.
func (r *Reading) PageSources(read int64) report.Sources {
	if r.Format != format.HTML {
		return nil
	}
	all := report.Sources{}
	for name, n := range r.Sources {
		all[name] = n
		read -= n
	}
	if read > 0 {
		all[report.PageSource] = read
	}
	return all
}
