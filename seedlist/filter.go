package seedlist

import (
	"encoding/binary"
	"hash/crc32"
	"strconv"
	"strings"

	"laundromat/internal/fault"
)

// Filter says which seeds to list. What is left out filters nothing.
type Filter struct {
	State   State
	Format  string // one of the Syntaxes of a document
	Host    string // host[:port] in lower case, as in [URI]
	Source  string
	Error   fault.Code
	Notice  fault.Code // documents that have it
	Washer  string     // the version that reached the last final state; a release means all of its builds
	Product string     // one that is served, or with ! one that could not be made
	// HTTPStatus is that with which the last download ended; 0: any.
	HTTPStatus int
	Parent     string // the hash of an archive: its children
	Relative   *bool

	Cursor string // what the last call returned; "" begins
	Limit  int    // of seeds; 0: 100
	// Damaged is told of each record that can't be read, with those that the rest of the filter
	// would leave out. The list goes on behind it. nil: nobody is told.
	Damaged func(*Damage)
}

// MatchesRecord says that a record has what is asked for: of what is served the format and the notices, of what came
// last the rest.
func (f *Filter) MatchesRecord(r *Record) bool {
	served := r.Summed()
	_, noticed := served.Notices[f.Notice]
	return (f.Format == "" || served.HasSyntax(f.Format)) &&
		(f.Source == "" || r.Source == f.Source) &&
		(f.Washer == "" || IsWasher(r.Washer, f.Washer)) &&
		(f.Error == "" || r.Error != nil && r.Error.Code == f.Error) &&
		(f.Notice == "" || noticed) &&
		(f.HTTPStatus == 0 || r.Parent == "" && r.LastStatus() == f.HTTPStatus) &&
		(f.Product == "" || r.HasProduct(f.Product))
}

// IsWasher says that a version is the one that is meant, or a build of that release: 0.1.0 means 0.1.0 (REVISION) too.
func IsWasher(version, meant string) bool {
	rest, begins := strings.CutPrefix(version, meant)
	return begins && (rest == "" || strings.HasPrefix(rest, " ("))
}

// CursorAfter is the cursor that goes on after a seed: its number, and a sum by which one that was
// made up is known.
func CursorAfter(after uint64) string {
	sum := crc32.ChecksumIEEE(binary.BigEndian.AppendUint64(nil, after))
	return strconv.FormatUint(after, 36) + "-" + strconv.FormatUint(uint64(sum), 36)
}

// ReadCursor is the opposite of [CursorAfter], and 0 for ""; [ErrCursor] for what that did not make.
func ReadCursor(cursor string) (after uint64, err error) {
	if cursor == "" {
		return 0, nil
	}
	number, _, _ := strings.Cut(cursor, "-")
	if after, err = strconv.ParseUint(number, 36, 64); err != nil || CursorAfter(after) != cursor {
		return 0, ErrCursor
	}
	return after, nil
}
