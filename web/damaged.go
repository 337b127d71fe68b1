package web

import "laundromat/seedlist"

// damages are the sentences about records that a list goes on behind, since they can't be read.
type damages []string

// tell takes one more.
func (d *damages) tell(damage *seedlist.Damage) { *d = append(*d, damage.Error()) }
