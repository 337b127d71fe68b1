package bolt

import "strconv"

// LockedError says that another process holds the store. One process has it open at a time.
type LockedError struct {
	PID int // 0 if it is not known
}

// Error names the process, if it is known.
func (e *LockedError) Error() string {
	if e.PID == 0 {
		return "the seed list is held by another process"
	}
	return "the seed list is held by process " + strconv.Itoa(e.PID)
}

// Holder is the process that holds the store; 0 if it is not known.
func (e *LockedError) Holder() int { return e.PID }
