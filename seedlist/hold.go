package seedlist

import (
	"fmt"
	"slices"
	"strings"
)

// Parts of the work that people may hold, beside the stages and sources.
const (
	HoldAll        = "all"
	HoldHarvesting = "harvesting" // of catalogs
	holdSource     = "source "    // its name follows
)

// HoldOfSource is the part of the seeds of a source, and of the catalog that is one.
func HoldOfSource(source string) string { return holdSource + source }

// SourceHeld is the source of a part; "" for none.
func SourceHeld(part string) string {
	source, is := strings.CutPrefix(part, holdSource)
	if !is {
		return ""
	}
	return source
}

// CheckHold refuses what is no part of the work.
func CheckHold(part string) error {
	if part == HoldAll || part == HoldHarvesting || SourceHeld(part) != "" || slices.Contains(Stages(), State(part)) {
		return nil
	}
	return fmt.Errorf("hold: %q is no part of the work", part)
}
