package files_test

import (
	"bytes"
	"fmt"
	"testing"

	"laundromat/internal/files"
)

// A clean file whose content nobody asks for is the same file.
func TestUnmeasuredFileIsTheSame(t *testing.T) {
	for _, lines := range []int{0, 10, 100_000} {
		var made [2]bytes.Buffer
		for i, unmeasured := range []bool{false, true} {
			w := files.NewCleanWriter(&made[i], files.CleanOptions{Workers: 2, Unmeasured: unmeasured})
			for n := range lines {
				if err := w.Line(fmt.Appendf(nil, "<http://example.org/%09d> <p> \"o\" .", n)); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(made[0].Bytes(), made[1].Bytes()) {
			t.Errorf("%d lines: the files differ", lines)
		}
	}
}
