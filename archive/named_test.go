package archive_test

import (
	"strings"
	"testing"

	"laundromat/archive"
)

func TestWhatIsKnownBySightAloneIsNamed(t *testing.T) {
	for head, name := range map[string]string{
		"filedesc://a.arc 0.0.0.0 20080430204825 text/plain\n1 0 x\n": "ARC",
		"\xED\xAB\xEE\xDB\x03\x00\x00\x00":                            "rpm",
		"\x12\x34\x31\x00\x00\x00\x10**ACE**\x14\x14":                 "ace",
	} {
		for _, data := range []string{head + strings.Repeat("\x00", 600), gz(t, head+strings.Repeat("\x00", 600))} {
			got := readAll(t, data, "", archive.Limits{})
			if got.format != "" || got.codes() != "warning archive/unsupported 0" || !strings.Contains(got.notices[0].Message, name) {
				t.Errorf("%s: format %q, notices %v", name, got.format, got.notices)
			}
		}
	}
}
