package seedlist

import "strings"

// Damage says that a part of the list can't be read: what a disk, a copy that was cut short, or
// another program did to it. It is trouble of this machine, never of a seed. All else of the list
// goes on.
type Damage struct {
	List  string // the name of the file
	Place string // a part of it, as "record 17" or "page 12"; "" for the file as a whole
	Why   string // what is wrong there
	Hash  string // of the seed or catalog that it is about; "" if that is not known
	Lost  string // what can't be read; "" if that is not known, or if it is that of Hash
}

// Error is one sentence: the file, the place, what is lost, and what to do.
func (d *Damage) Error() string {
	var s strings.Builder
	s.WriteString("the seed list " + d.List + " is damaged: ")
	if d.Place != "" {
		s.WriteString(d.Place + " ")
	}
	s.WriteString(d.Why)
	switch {
	case d.Lost != "":
		s.WriteString("; lost is " + d.Lost)
	case d.Hash != "":
		s.WriteString("; lost is the record of the seed " + d.Hash)
	}
	s.WriteString("; \"laundromat salvage\" keeps all that can be read, \"laundromat restore\" brings back a backup")
	return s.String()
}
