package main

import (
	"context"
	"testing"
)

// TestRealFilesAreCutIntoBlocks holds the scanners to the real files. Some of each format can be cut, and what is
// read of one without a fault is all that it says.
func TestRealFilesAreCutIntoBlocks(t *testing.T) {
	folder := realFolder("")
	if folder == "" {
		t.Skip("no real files: LAUNDROMAT_SHARED names the folder in which real is")
	}
	for _, f := range formats {
		all, left, err := realDocuments(context.Background(), folder, f.name)
		if err != nil {
			t.Fatal(err)
		}
		statements, blocks := 0, 0
		for _, d := range all {
			statements, blocks = statements+len(d.statements), blocks+d.block
			r, err := washed(context.Background(), d.format, d.text)
			if err != nil {
				t.Fatal(err)
			}
			if s, lost, invented := d.judge(d.apply(nil), r); s.saved != len(d.statements) || s.invented+s.changed > 0 {
				t.Errorf("%s: lost %v, invented %v", d.name, lost, invented)
			}
		}
		t.Logf("%s: %d files, %d left out, %d statements in %d blocks", f.name, len(all), left, statements, blocks)
		if len(all) == 0 {
			t.Errorf("%s: none of %d can be cut", f.name, left)
		}
	}
}
