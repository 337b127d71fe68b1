package match

import (
	"strings"
	"time"

	"laundromat/internal/dates"
)

// parseDate reads a date that has a single reading, and writes it in ISO 8601 in UTC, to the
// second. A date without a time is 00:00:00Z of that day. zone is false for a time without one. A number alone is no
// date here, since it may be any number; nor is a year of two digits, or a zone that is not known.
func parseDate(text string) (iso string, zone, ok bool) {
	d, ok := dates.ReadAny(strings.Join(strings.Fields(text), " "))
	if !ok || d.IsCount || d.ShortYear || d.Dotted || d.OtherZone || d.Second > 59 {
		return "", true, false
	}
	return d.Time().Format(time.RFC3339), d.HasZone || !d.HasTime, true
}
