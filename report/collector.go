package report

import (
	"cmp"
	"io"
	"maps"
	"slices"

	"laundromat/internal/fault"
)

// SamplesShown is how many notices of each code are shown, and kept as samples
// where nothing else is asked for.
const SamplesShown = 20

// Collector takes the notices of one document. It belongs to one goroutine.
type Collector struct {
	name     string
	samples  int
	kept     []Sample
	findings []Finding
	index    map[finding]int // of findings
	last     int             // the finding that the last notice was one of
	lost     int64
	count    int64 // of all notices

	live  io.Writer
	color bool
	list  *List
	err   error
}

type finding struct {
	code     fault.Code
	severity fault.Severity
}

// NewCollector returns a collector for the document of that name, which keeps the
// first notices of each code as samples; 0 means SamplesShown.
func NewCollector(name string, samples int) *Collector {
	if samples == 0 {
		samples = SamplesShown
	}
	return &Collector{name: name, samples: samples, index: map[finding]int{}}
}

// Show writes the first SamplesShown notices of each code to w, as they come. An
// error of w ends the showing; Err returns it.
func (c *Collector) Show(w io.Writer, color bool) { c.live, c.color = w, color }

// Keep gives every notice to a list. Closing the list remains the caller's.
func (c *Collector) Keep(list *List) { c.list = list }

// Clone returns a collector that has seen what c has, for a document that is read
// again from its beginning. It shows where c does; it keeps no list.
func (c *Collector) Clone() *Collector {
	clone := *c
	clone.kept, clone.findings = slices.Clone(c.kept), slices.Clone(c.findings)
	clone.index = maps.Clone(c.index)
	clone.list = nil
	return &clone
}

// Notice takes a finding. It never fails: see Err.
func (c *Collector) Notice(n fault.Notice) {
	c.count++
	if n.Severity == fault.Drop {
		c.lost += int64(n.Lost)
	}
	found := c.find(&n)
	found.Count++
	if most := int64(max(c.samples, SamplesShown)); found.Count <= most { // else there are enough already
		count := c.ofCode(n.Code)
		if count <= int64(c.samples) {
			c.kept = append(c.kept, Sample{Notice: n})
		}
		if c.live != nil && count <= SamplesShown && c.err == nil {
			c.err = writeNotice(c.live, c.name, &n, c.color)
		}
	}
	if c.list != nil {
		c.list.Notice(n)
	}
}

// find is the finding that a notice is one of, which most often is that of one before.
func (c *Collector) find(n *fault.Notice) *Finding {
	if c.last < len(c.findings) {
		if last := &c.findings[c.last]; last.Code == n.Code && last.Severity == n.Severity {
			return last
		}
	}
	key := finding{n.Code, n.Severity}
	i, known := c.index[key]
	if !known {
		i = len(c.findings)
		c.index[key] = i
		c.findings = append(c.findings, Finding{Code: n.Code, Severity: n.Severity, First: n.Pos})
	}
	c.last = i
	return &c.findings[i]
}

// ofCode is how many notices of a code there were, of all severities.
func (c *Collector) ofCode(code fault.Code) (count int64) {
	for i := range c.findings {
		if c.findings[i].Code == code {
			count += c.findings[i].Count
		}
	}
	return count
}

// Count is how many notices there were so far, of all codes.
func (c *Collector) Count() int64 { return c.count }

// Lost is how many statements the notices so far reported as dropped.
func (c *Collector) Lost() int64 { return c.lost }

// Err is the first error of what Show writes to; it does not speak of the document.
func (c *Collector) Err() error { return c.err }

// Document returns a report of what was seen so far. The caller fills in the rest.
func (c *Collector) Document() *Document {
	samples := slices.Clone(c.kept)
	if samples == nil {
		samples = []Sample{} // JSON knows an empty list
	}
	// A finding may be reported once what follows is known; here each is at its place.
	slices.SortStableFunc(samples, func(a, b Sample) int { return cmp.Compare(a.Offset, b.Offset) })
	counts := make(map[fault.Code]int64, len(c.findings))
	for i := range c.findings {
		counts[c.findings[i].Code] += c.findings[i].Count
	}
	return &Document{Name: c.name, Notices: counts, Samples: samples, Findings: slices.Clone(c.findings)}
}
