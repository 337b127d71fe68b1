package digest

// Records count the records read from a document. Read is Kept, Repaired and Dropped together.
type Records struct {
	Read     int64 `json:"read"`
	Kept     int64 `json:"kept"`
	Repaired int64 `json:"repaired"`
	Dropped  int64 `json:"dropped"`
	Written  int64 `json:"written"`
}

// Articles count the articles read from a document. Read is Kept and Empty together; an empty one has no text.
type Articles struct {
	Read  int64 `json:"read"`
	Kept  int64 `json:"kept"`
	Empty int64 `json:"empty"`
	// Repeated ones are kept, but repeat an earlier one of the document.
	Repeated int64 `json:"repeated"`
}
