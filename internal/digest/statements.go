package digest

// Statements accounts for every statement of a document: read = kept + repaired +
// dropped, and written = kept + repaired - duplicates.
type Statements struct {
	Read       int64 `json:"read"`
	Kept       int64 `json:"kept"`
	Repaired   int64 `json:"repaired"`
	Dropped    int64 `json:"dropped"`
	Duplicates int64 `json:"duplicates"`
	Written    int64 `json:"written"`
}

// Add adds the counts of o.
func (s *Statements) Add(o Statements) {
	s.Read += o.Read
	s.Kept += o.Kept
	s.Repaired += o.Repaired
	s.Dropped += o.Dropped
	s.Duplicates += o.Duplicates
	s.Written += o.Written
}
