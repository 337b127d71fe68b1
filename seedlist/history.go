package seedlist

import (
	"slices"
	"time"
)

// Version is one version of a document. Its bytes were there from Retrieved on, and were
// last seen at Seen; it also says what they were washed to. The same bytes washed to
// another clean file, by another version of the program, are another.
type Version struct {
	// Number counts from 1 and never changes; 0 in records that were made before
	// versions had one: see [Record.Versions].
	Number        int64     `json:"version,omitempty"`
	MD5           string    `json:"hash"`
	NumberOfBytes int64     `json:"number_of_bytes"`
	Retrieved     time.Time `json:"retrieved"`
	Seen          time.Time `json:"seen,omitzero"`     // not known of entries of archives
	Unchanged     int64     `json:"unchanged"`         // fetches that found it as it was
	Washed        time.Time `json:"washed,omitzero"`   // last
	Clean         string    `json:"clean,omitempty"`   // what it was washed to
	Written       *int64    `json:"written,omitempty"` // statements of that
	// Read are the statements that were read for it, Repaired and Dropped those of them that did not stay as they were.
	// Records of older versions of the program lack them.
	Read     int64 `json:"read,omitempty"`
	Repaired int64 `json:"repaired,omitempty"`
	Dropped  int64 `json:"dropped,omitempty"`
	// Kept says that this clean file is still there, though there is a later one.
	Kept bool `json:"kept,omitempty"`
	// Products are the files of its other products that are still there.
	Products []KeptProduct `json:"products,omitzero"`
	// Changes is what this wash changed, without the hashes of its files.
	Changes *Changes `json:"changes,omitempty"`
}

// Changes is what a wash changed of what the wash before had written.
type Changes struct {
	From string `json:"from"` // the clean file before
	To   string `json:"to"`   // that of this wash
	// Removed and Added count statements, Renamed the blank nodes that are the same and
	// have another name. Before - Removed + Added = After.
	Removed ChangeFile `json:"removed"`
	Added   ChangeFile `json:"added"`
	Renamed ChangeFile `json:"renamed"`
	// UnmatchedBefore and UnmatchedAfter are the blank nodes for which no node of the other
	// version was found.
	UnmatchedBefore int64 `json:"unmatched_before"`
	UnmatchedAfter  int64 `json:"unmatched_after"`
	// ByName says that blank nodes were compared by name: there was not memory enough to
	// match them.
	ByName bool `json:"by_name,omitempty"`
	// Error says why they could not be found; the files are missing then.
	Error string `json:"error,omitempty"`
}

// ChangeFile is a file of changes: how many lines it has, and its hashes and length before
// compression.
type ChangeFile struct {
	Count         int64  `json:"count"`
	MD5           string `json:"hash,omitempty"`
	SHA256        string `json:"sha256,omitempty"`
	NumberOfBytes int64  `json:"number_of_bytes"`
}

// MaxHistory is the number of versions that a record speaks of, and MaxKept how many clean
// files in addition to the last can be kept.
const (
	MaxHistory = 50
	MaxKept    = MaxHistory - 1
)

// Versions is the history with a number for each version.
func (r *Record) Versions() []Version {
	all := slices.Clone(r.History)
	for i := range all {
		if all[i].Number == 0 {
			all[i].Number = int64(i + 1) // the first have none, if any
		}
	}
	return all
}

// LastVersion is the number of the last version; 0 if there is none.
func (r *Record) LastVersion() int64 {
	last := len(r.History) - 1
	switch {
	case last < 0:
		return 0
	case r.History[last].Number == 0:
		return int64(last + 1)
	}
	return r.History[last].Number
}

// remember notes in the history what a fetch or a wash came to, and lets the interval
// follow it. The parameters was and is have the record before it and after it.
func (o *Outcome) remember(c *Claim, was, is *Record, now time.Time, options *Options) {
	is.Interval, is.IntervalAdapts, is.KeepVersions = was.Interval, was.IntervalAdapts, was.KeepVersions
	is.History = was.Versions()
	last := len(is.History) - 1
	isFetched := c.Stage == table[0].working && o.Next == table[0].next[0] && is.Content != nil
	switch {
	case o.Unchanged:
		is.adapt(2, 1, options)
		if last >= 0 {
			is.History[last].Seen = now.UTC()
			is.History[last].Unchanged++
		}
	case isFetched && last >= 0 && is.History[last].MD5 == is.Content.MD5:
		// The same bytes are washed again: by another version, or for another base.
		is.History[last].Seen = now.UTC()
	case isFetched:
		if last >= 0 && !was.IsServed() {
			is.adapt(1, 2, options) // of others a wash tells whether their data changed
		}
		is.addVersion(now, now)
	case o.Clean != nil && is.Content == nil:
		is.endGood()
	case o.Next == Parsed && is.Content != nil && (o.Clean != nil || o.Products != nil):
		if is.Parent == "" && is.isOfOthers(was) {
			is.adapt(1, 2, options)
		}
		is.rememberWash(was.Cleans(), now, options.KeepVersions)
	}
}

// isOfOthers says that a wash replaced what was made of other bytes.
func (r *Record) isOfOthers(was *Record) bool {
	if r.Clean != "" && r.Previous != "" && r.versionOf(r.Previous).MD5 != r.Content.MD5 {
		return true
	}
	return slices.ContainsFunc(was.Products, func(p Product) bool {
		is := r.Product(p.Name)
		return p.HasFile() && p.Of != nil && p.Of.Content.MD5 != r.Content.MD5 && is != nil && is.HasFile() && is.Of == nil
	})
}

// addVersion begins a version of the record's bytes; seen may not be known.
func (r *Record) addVersion(retrieved, seen time.Time) *Version {
	v := Version{Number: 1, MD5: r.Content.MD5, NumberOfBytes: r.Content.NumberOfBytes, Retrieved: retrieved.UTC(), Seen: seen.UTC()}
	if last := len(r.History) - 1; last >= 0 {
		v.Number = r.History[last].Number + 1
	}
	r.History = append(r.History[max(0, len(r.History)-MaxHistory+1):], v)
	return &r.History[len(r.History)-1]
}

// rememberWash notes what the last version was washed to, and which of the clean files
// that were named until now are kept.
func (r *Record) rememberWash(named []string, now time.Time, keep int) {
	var v *Version
	if last := len(r.History) - 1; last >= 0 {
		v = &r.History[last]
	}
	switch {
	case v == nil, v.MD5 != r.Content.MD5: // an entry of an archive, which was not fetched
		retrieved := r.Retrieved
		if retrieved.IsZero() {
			retrieved = now
		}
		v = r.addVersion(retrieved, time.Time{})
	case v.Clean != "" && r.Clean != "" && v.Clean != r.Clean, v.hasOther(r.own()):
		v = r.addVersion(v.Retrieved, v.Seen)
	}
	v.Washed = now.UTC()
	v.take(r.own())
	if r.Clean != "" {
		v.Clean = r.Clean
	}
	if r.Statements != nil && r.Clean != "" {
		written := r.Statements.Written
		v.Written = &written
		v.Read, v.Repaired, v.Dropped = r.Statements.Read, r.Statements.Repaired, r.Statements.Dropped
	}
	if v.Changes = nil; r.Changes != nil {
		changes := *r.Changes
		for _, file := range [...]*ChangeFile{&changes.Removed, &changes.Added, &changes.Renamed} {
			file.MD5, file.SHA256 = "", ""
		}
		v.Changes = &changes
	}
	if r.Clean != "" {
		r.endGood()
	}
	if r.KeepVersions != nil {
		keep = *r.KeepVersions
	}
	r.keep(named, keep)
	r.keepProducts(keep)
}

// keep marks the clean files of older versions that are kept: the last so many of those
// that are still there. One that is also of a later version takes no room.
func (r *Record) keep(named []string, most int) {
	here := []string{r.ServedClean()}
	for i := len(r.History) - 2; i >= 0; i-- {
		v := &r.History[i]
		v.Kept = v.Clean != "" && slices.Contains(here, v.Clean)
		if !v.Kept && v.Clean != "" && len(here) <= most && slices.Contains(named, v.Clean) {
			v.Kept = true
			here = append(here, v.Clean)
		}
	}
}

// adapt makes an interval that adapts times/by as long, within the bounds.
func (r *Record) adapt(times, by int64, options *Options) {
	if !r.IntervalAdapts || r.Interval == nil || *r.Interval <= 0 {
		return
	}
	seconds := *r.Interval * times / by
	seconds = max(min(seconds, int64(options.IntervalMax/time.Second)), int64(options.IntervalMin/time.Second), 1)
	r.Interval = &seconds
}

// Cleans are the clean seeds that a record names. They are that of its bytes, that of the
// bytes before until these are washed, and those of the versions that are kept.
func (r *Record) Cleans() (hashes []string) {
	for _, hash := range [...]string{r.Clean, r.Previous} {
		if hash != "" {
			hashes = append(hashes, hash)
		}
	}
	for i := range r.History {
		if v := &r.History[i]; v.Kept && v.Clean != "" {
			hashes = append(hashes, v.Clean)
		}
	}
	slices.Sort(hashes)
	return slices.Compact(hashes)
}
