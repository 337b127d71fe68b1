package report

import "laundromat/text/near"

// Repeats are the articles of an input that repeat an earlier one, of this or another input.
type Repeats struct {
	Name     string           `json:"name"`
	Articles int64            `json:"articles"` // with text
	Repeated int64            `json:"repeated"` // the same text, or one that is near it
	Equal    map[string]int64 `json:"equal"`    // by key: see near.Keys
}

// CountRepeats takes the repeats of all inputs.
func (r *Report) CountRepeats(counts []near.Counts, areDropped bool) {
	if r.Articles == nil {
		r.Articles = &Articles{}
	}
	r.Articles.areDropped = areDropped
	for _, c := range counts {
		equal := make(map[string]int64, len(near.Keys))
		for i, key := range near.Keys {
			equal[key] = c.Equal[i]
		}
		r.Repeats = append(r.Repeats, Repeats{c.Name, c.Articles, c.Repeated, equal})
		r.Articles.Repeated += c.Repeated
	}
}
