package dates

import (
	"strconv"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // the IANA time zone database, for machines that have none
	"unicode"
)

// readOffset reads %z: +0200, +02:00, +02, UTC+2 or Z; with seconds too.
func readOffset(s string, d Parts, try func(int, Parts) bool) {
	d.HasOffset, d.UTC = true, true
	for _, name := range []string{"z", "utc", "gmt"} {
		if strings.HasPrefix(s, name) {
			if d.Offset = 0; try(len(name), d) {
				return
			}
		}
	}
	d.UTC = false
	start := 0
	if strings.HasPrefix(s, "utc") || strings.HasPrefix(s, "gmt") {
		start = 3
	}
	for _, end := range []int{9, 7, 6, 5, 3, 2} {
		if start+end > len(s) {
			continue
		}
		if offset, ok := parseOffset(s[start : start+end]); ok {
			if d.Offset = offset; try(start+end, d) {
				return
			}
		}
	}
}

// parseOffset reads an offset with its sign, in seconds; hours up to 14 exist.
func parseOffset(s string) (int, bool) {
	if s == "" || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	parts := []string{s[1:]}
	if strings.Contains(s, ":") {
		parts = strings.Split(s[1:], ":")
	} else if len(s) > 3 {
		parts = []string{s[1:3], s[3:]}
		if len(s) == 7 {
			parts = []string{s[1:3], s[3:5], s[5:]}
		}
	}
	offset, size := 0, 3600
	for i, p := range parts {
		n, ok := Digits(p)
		if !ok || len(p) > 2 || i > 0 && (len(p) != 2 || n > 59) || i > 2 {
			return 0, false
		}
		offset += n * size
		size /= 60
	}
	if offset > 14*3600 {
		return 0, false
	}
	if s[0] == '-' {
		offset = -offset
	}
	return offset, true
}

// abbreviations are time zones with one meaning: those of RFC 5322, section 4.3, and of
// Europe, Japan and Korea. IST, BST, AST and others mean several, and are not read.
var abbreviations = map[string]int{"z": 0, "ut": 0, "utc": 0, "gmt": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5,
	"mst": -7, "mdt": -6, "pst": -8, "pdt": -7, "wet": 0, "west": 1, "cet": 1, "cest": 2, "mez": 1, "mesz": 2, "met": 1, "mest": 2,
	"eet": 2, "eest": 3, "msk": 3, "jst": 9, "kst": 9, "akst": -9, "akdt": -8, "hst": -10, "nzst": 12, "nzdt": 13,
	"aest": 10, "aedt": 11, "acst": 9, "awst": 8}

// Abbreviation is the offset in seconds that an abbreviation in small letters has.
func Abbreviation(name string) (offset int, known bool) {
	hours, known := abbreviations[name]
	if offset = hours * 3600; name == "acst" {
		offset += 1800
	}
	return offset, known
}

// readZone reads %Z: an abbreviation, or a name of the IANA database. What it means is
// found when the date is known.
func readZone(s string, d Parts, try func(int, Parts) bool) {
	end := 0
	for end < len(s) && (s[end] >= 'a' && s[end] <= 'z' || end > 0 && strings.IndexByte("/_+-0123456789",
		s[end]) >= 0) {
		end++
	}
	letters := len(s) - len(strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyz"))
	ends := append(spacedEnds(s, end), end, letters)
	for _, n := range ends {
		if n > 0 {
			if d.Zone = s[:n]; try(n, d) {
				return
			}
		}
	}
	readOffset(s, d, try)
}

// spacedEnds are where the name of a region and a city may end that has spaces where the IANA database has
// underscores, the longest first. end is where it ends at its first space.
func spacedEnds(s string, end int) (ends []int) {
	if !strings.Contains(s[:end], "/") {
		return nil
	}
	for range mostZoneSpaces {
		if end+1 >= len(s) || s[end] != ' ' {
			break
		}
		word := strings.TrimLeftFunc(s[end+1:], func(r rune) bool { return unicode.IsLetter(r) || r == '-' || r == '/' })
		if len(word) == len(s)-end-1 {
			break
		}
		end = len(s) - len(word)
		ends = append([]int{end}, ends...)
	}
	return ends
}

// mostZoneSpaces is the number of underscores in the longest name, America/Port_of_Spain.
const mostZoneSpaces = 2

func readEpoch(s string, d Parts, try func(int, Parts) bool) {
	end := len(s) - len(strings.TrimLeft(s, "-0123456789"))
	n, err := strconv.ParseInt(s[:end], 10, 64)
	if err == nil && n > -62135596800 && n < 253402300800 {
		d.Epoch = n
		try(end, d)
	}
}

// Zones gives time zones by name, and remembers them.
type Zones struct {
	mutex sync.Mutex
	known map[string]*time.Location
}

// maxZones bounds what is remembered; the database has fewer names.
const maxZones = 1000

// Get finds a zone as [LoadZone] does.
func (z *Zones) Get(name string) *time.Location {
	z.mutex.Lock()
	defer z.mutex.Unlock()
	if l, found := z.known[name]; found {
		return l
	}
	l := LoadZone(name)
	if z.known == nil {
		z.known = map[string]*time.Location{}
	}
	if len(z.known) < maxZones {
		z.known[name] = l
	}
	return l
}

// LoadZone finds a time zone of the IANA database, or an offset; nil where there is none. Spaces are as good as the
// underscores of the database: America/New York.
func LoadZone(name string) *time.Location {
	name = strings.ReplaceAll(strings.TrimSpace(name), " ", "_")
	if offset, ok := parseOffset(name); ok {
		return time.FixedZone(name, offset)
	}
	if name == "" || name == "Local" || name == "Z" {
		if name == "Z" {
			return time.UTC
		}
		return nil
	}
	l, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	return l
}

// Folded finds a time zone whose name was folded: europe/paris.
func (z *Zones) Folded(name string) *time.Location {
	if !strings.Contains(name, "/") {
		return nil
	}
	b := []byte(strings.ReplaceAll(name, " ", "_"))
	for i := range b {
		if (i == 0 || strings.IndexByte("/_-", b[i-1]) >= 0) && b[i] >= 'a' && b[i] <= 'z' {
			b[i] -= 'a' - 'A'
		}
	}
	return z.Get(smallWords.Replace(string(b)))
}

// smallWords are those within the names of cities that have no capital letter.
var smallWords = strings.NewReplacer("_Of_", "_of_", "_Es_", "_es_", "-Au-", "-au-")

// CommonZones are names that a misspelt one is compared with.
var CommonZones = strings.Fields("UTC Europe/Paris Europe/Berlin Europe/London Europe/Madrid Europe/Rome " +
	"Europe/Amsterdam " +
	"Europe/Brussels Europe/Vienna Europe/Zurich Europe/Stockholm Europe/Oslo Europe/Copenhagen Europe/Helsinki " +
	"Europe/Warsaw " +
	"Europe/Prague Europe/Lisbon Europe/Dublin Europe/Athens Europe/Moscow Europe/Istanbul Europe/Kyiv " +
	"America/New_York " +
	"America/Chicago America/Denver America/Los_Angeles America/Toronto America/Mexico_City America/Sao_Paulo " +
	"America/Argentina/Buenos_Aires Asia/Tokyo Asia/Shanghai Asia/Kolkata Asia/Dubai Asia/Singapore " +
	"Asia/Hong_Kong Asia/Seoul " +
	"Australia/Sydney Australia/Melbourne Pacific/Auckland Africa/Cairo Africa/Johannesburg Africa/Lagos")

// Instants are the times at which the clocks of a zone show a local time. That is one as a
// rule, none where it was left out, or two, the earlier first, where it came twice.
func Instants(local time.Time, zone *time.Location) []time.Time {
	var all []time.Time
	_, before := local.Add(-26 * time.Hour).In(zone).Zone()
	_, after := local.Add(26 * time.Hour).In(zone).Zone()
	offsets := []int{before, after}
	if before == after {
		offsets = offsets[:1]
		if _, now := local.Add(-time.Duration(before) * time.Second).In(zone).Zone(); now != before {
			offsets = append(offsets, now)
		}
	}
	for _, offset := range offsets {
		t := local.Add(-time.Duration(offset) * time.Second)
		if _, now := t.In(zone).Zone(); now == offset {
			all = append(all, t)
		}
	}
	if len(all) == 2 && all[1].Before(all[0]) {
		all[0], all[1] = all[1], all[0]
	}
	return all
}
