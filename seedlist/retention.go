package seedlist

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/pattern"
)

// Retention says what is kept of what is not needed to serve the last good washes. The zero value keeps all.
type Retention struct {
	Dirty    DirtyKept
	Notices  Age // of the full lists of notices, since the wash
	Attempts Age // of entries of the log of attempts; the last of each seed stays
	Versions Age // of older versions, since their bytes were last seen
	// Number is how many older versions are kept of a seed without a number of its own; nil: as many as there are.
	Number *int
}

// IsAll says that nothing is removed, but versions beyond their number.
func (k *Retention) IsAll() bool { return *k == Retention{Number: k.Number} }

// Age is how long something is kept; 0: for ever.
type Age time.Duration

// The words of an age, and of what is kept of dirty bytes.
const (
	keepAll    = "all"
	keepFailed = "failed"
	keepNone   = "none"
)

// agePattern is a number and a unit. Minutes and seconds are none: "5m" is too near to "5M".
var agePattern = pattern.New(`^([0-9]{1,5})([hdwy])$`)

// ageUnits are the units of ages. A year has 365 days.
var ageUnits = map[string]time.Duration{
	"h": time.Hour, "d": 24 * time.Hour, "w": 7 * 24 * time.Hour, "y": 365 * 24 * time.Hour,
}

// ParseAge reads an age: "all", or a number with h, d, w or y.
func ParseAge(text string) (Age, error) {
	if text == keepAll {
		return 0, nil
	}
	parts := agePattern.FindStringSubmatch(text)
	if parts == nil {
		return 0, fmt.Errorf("%q isn't an age (examples: 12h, 30d, 8w, 2y, all)", text)
	}
	n, _ := strconv.Atoi(parts[1]) // the pattern has digits alone
	if n == 0 {
		return 0, fmt.Errorf("an age of %s keeps nothing; the least is 1h", text)
	}
	return Age(time.Duration(n) * ageUnits[parts[2]]), nil
}

// String is what ParseAge reads.
func (a Age) String() string {
	if a == 0 {
		return keepAll
	}
	for _, unit := range [...]string{"y", "w", "d"} {
		if is := ageUnits[unit]; time.Duration(a)%is == 0 {
			return strconv.FormatInt(int64(time.Duration(a)/is), 10) + unit
		}
	}
	return strconv.FormatInt(int64(time.Duration(a)/time.Hour), 10) + "h"
}

// IsPast says that something of a time is not kept any more.
func (a Age) IsPast(at, now time.Time) bool { return a > 0 && at.Before(now.Add(-time.Duration(a))) }

// DirtyKept says which bytes are kept, as they came.
type DirtyKept struct {
	// Which is "" for all, "failed" for those of documents that failed, or "none".
	Which string
	// Age keeps those that came so lately, and Bytes the last that came, so many together; 0: no matter.
	Age   Age
	Bytes int64
	// Before are those not kept for Bytes: they came before it. See [DirtyAges].
	Before time.Time
}

// ParseDirtyKept reads what is kept of dirty bytes: all, failed, none, an age or a size.
func ParseDirtyKept(text string, parseSize func(string) (int64, error)) (k DirtyKept, err error) {
	switch text {
	case keepAll:
		return k, nil
	case keepFailed, keepNone:
		k.Which = text
		return k, nil
	}
	if k.Age, err = ParseAge(text); err == nil {
		return k, nil
	}
	last := text[max(0, len(text)-1):]
	if k.Bytes, err = parseSize(text); err != nil || k.Bytes <= 0 || last >= "a" {
		return DirtyKept{}, fmt.Errorf("%q is none of all, failed, none, an age (30d) and a size (200G)", text)
	}
	return k, nil
}

// lacksBytes says that the bytes of a seed are not kept. They came at a time.
func (k *DirtyKept) lacksBytes(s *Seed, came, now time.Time) bool {
	switch {
	case k.Which == keepNone:
		return true
	case k.Which == keepFailed:
		return s.Status != Failed
	case k.Age > 0:
		return k.Age.IsPast(came, now)
	}
	return k.Bytes > 0 && came.Before(k.Before)
}

// Came is when the bytes of a record came. Of an entry of an archive it is when it was last looked at.
func (r *Record) Came() time.Time {
	for _, at := range [...]time.Time{r.Retrieved, r.Processed} {
		if !at.IsZero() {
			return at
		}
	}
	return r.Added
}

// Retained is a seed from which a retention took something: its record before and after.
type Retained struct {
	Before, After Seed
	Trimmed       Trimmed
}

// Trimmed counts what a retention removed.
type Trimmed struct {
	Dirty      int64 `json:"dirty"`       // files with the bytes as they came
	DirtyBytes int64 `json:"dirty_bytes"` // of these, before compression
	Notices    int64 `json:"notices"`     // full lists of notices
	Versions   int64 `json:"versions"`    // files of products of older versions
	Attempts   int64 `json:"attempts"`    // entries of the log
}

// Add adds another count.
func (t *Trimmed) Add(o Trimmed) {
	t.Dirty += o.Dirty
	t.DirtyBytes += o.DirtyBytes
	t.Notices += o.Notices
	t.Versions += o.Versions
	t.Attempts += o.Attempts
}

// Trim takes what is not kept off the record of a seed that rests, and counts it. What
// is served, and what it was made of where that is not what came last, stays.
func (k *Retention) Trim(s *Seed, now time.Time) (t Trimmed) {
	if !s.Status.IsEnd() || s.Marked != nil {
		return t
	}
	if s.HasDirty() && k.Dirty.lacksBytes(s, s.Came(), now) && !s.needsBytes() {
		s.Removed.Dirty = &Removal{By: "--keep-dirty " + k.Dirty.String(), At: now.UTC()}
		t.Dirty, t.DirtyBytes = 1, s.Content.NumberOfBytes
	}
	if s.HasNotices() && k.Notices.IsPast(s.Processed, now) && !s.needsNotices() {
		s.Removed.Notices = &Removal{By: "--keep-notices " + k.Notices.String(), At: now.UTC()}
		t.Notices = 1
	}
	t.Versions = s.trimVersions(k.Versions, k.Number, now)
	return t
}

// String is what [ParseDirtyKept] reads.
func (k *DirtyKept) String() string {
	switch {
	case k.Which != "":
		return k.Which
	case k.Bytes > 0:
		return sizeText(k.Bytes)
	}
	return k.Age.String()
}

// sizeText is a size with the largest unit that divides it.
func sizeText(n int64) string {
	unit := ""
	for _, next := range [...]string{"K", "M", "G", "T"} {
		if n%1024 != 0 {
			break
		}
		n, unit = n/1024, next
	}
	return strconv.FormatInt(n, 10) + unit
}

// needsBytes says that the bytes of the record must stay. They are those of a last good wash that is not the last, or
// what is to be tried again by itself begins with them.
func (s *Seed) needsBytes() bool {
	if s.IsBehind() && s.isOwn() {
		return true
	}
	if e := s.Error; s.Status == Failed && e != nil && e.Stage != table[0].working && (e.Kind == fault.Remote || e.Kind == fault.Bug) {
		return true
	}
	if s.Good != nil && s.Good.Reading.Content != nil && s.Good.Reading.Fences.Dirty == s.Fences.Dirty {
		return true
	}
	return slices.ContainsFunc(s.Products, func(p Product) bool { return p.Of != nil && p.Of.Fence == s.Fences.Dirty })
}

// needsNotices says that the notices of the record are those of a last good wash that is not the last.
func (s *Seed) needsNotices() bool {
	return s.IsBehind() && s.isOwn() ||
		s.Good != nil && len(s.Good.Reading.Notices) > 0 && s.Good.Reading.Fences.Notices == s.Fences.Notices
}

// trimVersions ends the files of older versions that are not kept, and says how many.
func (r *Record) trimVersions(age Age, most *int, now time.Time) (gone int64) {
	before := r.keptFiles()
	if before == 0 {
		return 0
	}
	r.History = slices.Clone(r.History)
	if r.KeepVersions != nil {
		most = r.KeepVersions
	}
	if most != nil {
		r.keep(r.Cleans(), *most)
		r.keepProducts(*most)
	}
	served, _ := r.ServedVersion()
	for i, v := range r.Versions() {
		if i == len(r.History)-1 || v.Number == served || !age.IsPast(v.lastSeen(), now) {
			continue
		}
		is := &r.History[i]
		is.Kept = is.Kept && is.Clean == r.ServedClean()
		is.Products = slices.DeleteFunc(slices.Clone(is.Products), func(k KeptProduct) bool {
			p := r.Product(k.Name)
			return p == nil || !p.HasFile() || p.Fence != k.Fence
		})
	}
	return before - r.keptFiles()
}

// lastSeen is when the bytes of a version were last there, as far as that is known.
func (v *Version) lastSeen() time.Time {
	for _, at := range [...]time.Time{v.Seen, v.Washed} {
		if !at.IsZero() {
			return at
		}
	}
	return v.Retrieved
}

// keptFiles counts the files that are kept of older versions, those that are served apart.
func (r *Record) keptFiles() (n int64) {
	seen := []string{r.ServedClean()}
	for i := range r.History {
		v := &r.History[i]
		if v.Kept && v.Clean != "" && !slices.Contains(seen, v.Clean) {
			seen = append(seen, v.Clean)
			n++
		}
		if i == len(r.History)-1 {
			continue
		}
		for _, k := range v.Products {
			if p := r.Product(k.Name); p == nil || p.Fence != k.Fence {
				n++
			}
		}
	}
	return n
}
