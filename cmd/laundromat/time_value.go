package main

import (
	"errors"
	"time"
)

// timeValue is a flag that holds a time.
type timeValue struct{ time.Time }

func (v *timeValue) Set(text string) (err error) {
	if v.Time, err = time.Parse(time.RFC3339, text); err != nil {
		err = errors.New("not a time (example: 2024-03-01T12:00:00Z)")
	}
	return err
}

func (v *timeValue) String() string {
	if v.IsZero() {
		return ""
	}
	return v.UTC().Format(time.RFC3339)
}

func (v *timeValue) Type() string { return "TIME" }
