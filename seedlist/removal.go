package seedlist

import "time"

// Removal says that a file was removed since a setting says so, and when.
type Removal struct {
	By string    `json:"by"` // the setting, as in "--keep-dirty none"
	At time.Time `json:"at"`
}

// String says it as people read it.
func (r *Removal) String() string {
	return "removed by " + r.By + " on " + r.At.UTC().Format(time.DateOnly)
}

// Removed are the files of a reading that were removed by a [Retention]. All else that the record says of them holds.
type Removed struct {
	Dirty   *Removal `json:"dirty,omitempty"`   // the bytes as they came
	Notices *Removal `json:"notices,omitempty"` // the full list of notices
}

// HasDirty says that the bytes of the reading are stored.
func (r *Record) HasDirty() bool { return r.Content != nil && r.Removed.Dirty == nil }

// HasNotices says that the full list of notices of the reading is stored.
func (r *Record) HasNotices() bool { return len(r.Notices) > 0 && r.Removed.Notices == nil }
