package seedfile

import (
	"bufio"
	"encoding/json"

	"github.com/klauspost/compress/gzip"

	"laundromat/internal/files"
	"laundromat/internal/inflate"
	"laundromat/rdf/statistics"
)

// Statistics are those that are stored beside a clean file; an error that is [io/fs.ErrNotExist] says that there are
// none: it is small, or was washed before statistics were kept.
func Statistics(store files.Opener, clean string) (*statistics.Statistics, error) {
	stored, err := store.Open(clean, files.Statistics)
	if err != nil {
		return nil, err
	}
	defer stored.Close()
	var is statistics.Statistics
	packed, err := gzip.NewReader(files.Sequential(stored))
	if err == nil {
		err = json.NewDecoder(packed).Decode(&is)
	}
	if err != nil {
		return nil, err
	}
	return &is, nil
}

// CountStatistics has a counter read a clean file.
func CountStatistics(store files.Opener, clean string, counter *statistics.Counter) (*statistics.Statistics, error) {
	file, err := store.Open(clean, files.Clean)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := inflate.NewMembers(bufio.NewReaderSize(files.Sequential(file), int(min(max(file.Size(), 512), 64<<10))))
	if err != nil {
		return nil, err
	}
	return counter.Read(text)
}
