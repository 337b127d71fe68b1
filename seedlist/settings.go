package seedlist

import "time"

// Condition decides whether something is done with a seed, in the transaction that would do it. It gets the seed as
// [Reader.Seed] and [Reader.FillOutcomes] would return it in that transaction. Its error is the answer
// for the seed, with which nothing is done. nil sets no condition.
type Condition func(seed Seed) error

// SeedSettings are what people set of a seed. nil leaves a setting as it is.
type SeedSettings struct {
	Priority *int `json:"priority,omitempty" doc:"larger first"`
	// Interval is in seconds. 0: never fetched again by itself; below 0: as the list says of seeds without one.
	Interval *int64 `json:"interval,omitempty" doc:"seconds after which it is fetched again; 0: never by itself; below 0: as the daemon says"`
	// KeepVersions is how many clean files of older versions are kept; below 0: as the list says.
	KeepVersions *int `json:"keep_versions,omitempty" maximum:"49" doc:"clean files of older versions that are kept; below 0: as the daemon says"`
	// Title is what people call it; "" takes the title away.
	Title *string `json:"title,omitempty" doc:"what people call it; empty: none"`
	// Forget ends that the last good wash is served of a document that gave none since.
	Forget bool `json:"forget,omitempty" doc:"no longer serve the last good wash of a document that came to nothing since"`
	// Recipe is that by which it is washed, whatever matches it; "" for that which matches.
	Recipe *string `json:"recipe,omitempty" doc:"the name of the recipe by which it is washed, whatever matches; empty: that which matches"`
	// If is held against the seed that is named.
	If Condition `json:"-"`
}

// IsEmpty says that there is nothing to set.
func (s *SeedSettings) IsEmpty() bool {
	return s.Priority == nil && s.Interval == nil && s.KeepVersions == nil && s.Title == nil && s.Recipe == nil && !s.Forget
}

// ChangesRecord says that more than the standing of a seed is set.
func (s *SeedSettings) ChangesRecord() bool {
	return s.Interval != nil || s.KeepVersions != nil || s.Title != nil || s.Recipe != nil || s.Forget
}

// Apply sets them in a record. The options are those of the list.
func (s *SeedSettings) Apply(r *Record, options *Options) {
	if s.Interval != nil {
		seconds := *s.Interval
		r.IntervalAdapts = seconds < 0 && options.Interval > 0 && options.IntervalMin < options.IntervalMax
		if seconds < 0 {
			seconds = max(0, int64(options.Interval/time.Second))
		}
		r.Interval = &seconds
	}
	if s.Title != nil {
		r.Title = *s.Title
	}
	if s.Recipe != nil {
		r.RecipeAsked = *s.Recipe
	}
	if s.Forget {
		r.forgetGood()
	}
	if s.KeepVersions != nil {
		if r.KeepVersions = nil; *s.KeepVersions >= 0 {
			keep := *s.KeepVersions
			r.KeepVersions = &keep
		}
	}
}

// DueSet is when a seed at rest is due again, with the interval of its record. A failure that was to be tried
// again sooner stays due at was; failures counts those in a row.
func DueSet(r *Record, was time.Time, failures int) time.Time {
	due := DueAfter(r.Processed, r.Interval)
	if failures > 0 && !was.IsZero() && was.Before(due) {
		return was
	}
	return due
}
