package daemon_test

import (
	"testing"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// What gave nothing is failed, and what is empty, or gave something, is none of that.
func TestOfWhatNothingCouldBeHadIsFailed(t *testing.T) {
	packed := gzipped(t, nt("a")+nt("b")+nt("c")+nt("d"))
	zipped := string(zipOf(t, "a.nt", nt("a")))
	for _, c := range []struct {
		name, data string
		status     seedlist.State
		code       fault.Code
	}{
		{"/cut.nt.gz", packed[:11], seedlist.Failed, fault.ArchiveTruncated},
		{"/damaged.nt.gz", packed[:10] + "\xFF\xFF\xFF\xFF" + packed[14:], seedlist.Failed, fault.ArchiveCorrupt},
		{"/dictionary.nt.zst", "\x28\xB5\x2F\xFD\x01\x58\x07\x09\x00\x00abcdefgh", seedlist.Failed, fault.ArchiveUnsupported},
		{"/cut.zip", zipped[:20], seedlist.Failed, fault.ArchiveTruncated},
		{"/empty.nt.gz", gzipped(t, ""), seedlist.Parsed, ""},
		{"/half.nt.gz", packed[:len(packed)-9], seedlist.Parsed, ""},
		{"/whole.zip", zipped, seedlist.Depleted, ""},
		{"/empty.zip", string(zipOf(t)), seedlist.Depleted, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			w.page(c.name, []byte(c.data))
			w.add(c.name)
			w.run()
			seed := w.seed(c.name)
			var code fault.Code
			if seed.Error != nil {
				code = seed.Error.Code
			}
			if seed.Status != c.status || code != c.code {
				t.Errorf("%s, %q; want %s, %q", seed.Status, code, c.status, c.code)
			}
		})
	}
}
