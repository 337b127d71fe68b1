package seedlist

// Damage says that a part of the list can't be read. A disk, a copy that was cut short, or
// another program did that to it. It is trouble of this machine, never of a seed. All else of the list
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
	return "the seed list " + d.List + " is damaged: " + d.Finding() +
		"; \"laundromat salvage\" keeps all that can be read, \"laundromat restore\" brings back a backup"
}

// Finding is the place, what is wrong there and what is lost.
func (d *Damage) Finding() string {
	text := d.Why
	if d.Place != "" {
		text = d.Place + " " + d.Why
	}
	switch {
	case d.Lost != "":
		text += "; lost is " + d.Lost
	case d.Hash != "":
		text += "; lost is the record of the seed " + d.Hash
	}
	return text
}
