package linesort

import (
	"testing"
	"time"
)

func TestTemporaryFileIsCompressedOnceItIsLargeOrSlow(t *testing.T) {
	type write struct {
		n    int
		took time.Duration
	}
	for name, test := range map[string]struct {
		writes []write
		packs  bool
	}{
		"page cache":                {[]write{{64 << 20, 40 * time.Millisecond}, {64 << 20, 40 * time.Millisecond}}, false},
		"too little to tell":        {[]write{{1 << 20, time.Second}}, false},
		"disk":                      {[]write{{64 << 20, 400 * time.Millisecond}}, true},
		"disk behind a page cache":  {[]write{{200 << 20, 100 * time.Millisecond}, {100 << 20, time.Second}}, true},
		"large":                     {[]write{{600 << 20, 300 * time.Millisecond}, {600 << 20, 300 * time.Millisecond}}, true},
		"compressed from then on":   {[]write{{64 << 20, time.Second}, {1 << 30, time.Millisecond}}, true},
		"one delay among many done": {[]write{{500 << 20, 200 * time.Millisecond}, {1 << 20, 200 * time.Millisecond}}, false},
	} {
		var s spill
		for _, w := range test.writes {
			s.judge(w.n, w.took)
		}
		if s.packs != test.packs {
			t.Errorf("%s: compressed %v", name, s.packs)
		}
	}
}
