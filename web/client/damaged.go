package client

import "fmt"

// DamagedError says that records of a list can't be read. All others were listed.
type DamagedError struct {
	Records int    // or pages of them
	First   string // what is said of the first
}

// Error is what is said of the first, after how many there are.
func (e *DamagedError) Error() string {
	if e.Records == 1 {
		return e.First
	}
	return fmt.Sprintf("%d parts of the list can't be read (\"laundromat verify\" names them); the first: %s", e.Records, e.First)
}
