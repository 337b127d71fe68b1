package archive_test

import (
	"strings"
	"testing"

	"github.com/klauspost/compress/zip"

	"laundromat/archive"
	"laundromat/internal/fault"
)

func TestWhatGaveNothingForALossEndsInAnError(t *testing.T) {
	one := member{"a.nt", lines(400)}
	zipped, seven, tarred := zipOf(t, zip.Deflate, one), sevenZipOf(one), tarFile(one, nil)
	packed := gz(t, one.body)
	noisy := "\x28\xB5\x2F\xFD\x01\x58\x07\x09\x00\x00abcdefgh" // a zstd frame with the dictionary 7
	for _, c := range []struct {
		name, data string
		code       fault.Code // "": something came, or nothing was lost
	}{
		{"gzip, cut in its data", packed[:14], fault.ArchiveTruncated},
		{"gzip, damaged at once", packed[:10] + "\xFF\xFF\xFF\xFF" + packed[14:], fault.ArchiveCorrupt},
		{"gzip, whole", packed, ""},
		{"gzip of nothing", gz(t, ""), ""},
		{"gzip, cut near its end", packed[:len(packed)-12], ""},
		{"zstd with a dictionary", noisy, fault.ArchiveUnsupported},
		{"gzip in a gzip, cut", gz(t, packed[:14]), fault.ArchiveTruncated},
		{"zip, cut in its first entry's head", zipped[:20], fault.ArchiveTruncated},
		{"zip, whole", zipped, ""},
		{"zip of nothing", zipOf(t, zip.Deflate), ""},
		{"zip, of an empty file", zipOf(t, zip.Deflate, member{"e.nt", ""}), ""},
		{"7z, cut in its head", seven[:20], fault.ArchiveTruncated},
		{"7z of nothing", emptySevenZip, ""},
		{"cab, packed by what can't be read", cabinetOf(cabinetOptions{method: 3}, one), fault.ArchiveUnsupported},
		{"xar, without its table", xarOf(one)[:40], fault.ArchiveTruncated},
		{"tar, cut behind its first header", tarred[:512], fault.ArchiveTruncated},
		{"tar, cut in its first entry", tarred[:700], ""},
		{"tar, the second header broken", tarred + strings.Repeat("x", 512), ""},
		{"tar of nothing", strings.Repeat("\x00", 1024), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := readOnce(t, strings.NewReader(c.data), "", archive.Limits{})
			if code := fault.CodeOf(got.err); got.err != nil && code != c.code || got.err == nil && c.code != "" {
				t.Errorf("error %v, code %q, want %q; notices %v", got.err, code, c.code, got.notices)
			}
			if got.err != nil && fault.KindOf(got.err) != fault.Data {
				t.Errorf("it is of the kind %v", fault.KindOf(got.err))
			}
		})
	}
	bomb := readOnce(t, strings.NewReader(zipOf(t, zip.Deflate, member{"a", strings.Repeat("\x00", 80<<20)})), "",
		archive.Limits{Ratio: 10})
	if fault.KindOf(bomb.err) != fault.Limit || fault.CodeOf(bomb.err) != fault.LimitArchiveRatio {
		t.Errorf("a zip of one bomb: %v", bomb.err)
	}
}
