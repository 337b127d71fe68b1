package seedlist

import "laundromat/internal/fault"

// Filter says which seeds to list. What is left out filters nothing.
type Filter struct {
	State    State
	Format   string
	Host     string // host[:port] in lower case, as in [URI]
	Source   string
	Error    fault.Code
	Notice   fault.Code // documents that have it
	Parent   string     // the hash of an archive: its children
	Relative *bool

	Cursor string // what the last call returned; "" begins
	Limit  int    // of seeds; 0: 100
}
