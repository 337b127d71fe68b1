//go:build lean

package dump_test

import (
	"io"
	"strings"
	"testing"

	"laundromat/records/dump"
)

func TestALeanProgramRefusesHeavyFormats(t *testing.T) {
	for _, format := range []string{"parquet", "sqlite"} {
		_, err := dump.Open(dump.Options{Files: []dump.File{{Format: format, Writer: io.Discard}}})
		if err == nil || !strings.Contains(err.Error(), "built without "+format) ||
			!strings.Contains(err.Error(), "jsonl, csv, tsv, xlsx") {
			t.Errorf("%s: %v", format, err)
		}
	}
}
