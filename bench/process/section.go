package process

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"time"
)

// Today is the date that a page shows.
func Today() string { return time.Now().UTC().Format("2006-01-02") }

// WriteSection writes again what is in a page between the two marks of a benchmark.
func WriteSection(page, benchmark string, section []byte) error {
	begin := []byte("<!-- written by " + benchmark + ": begin -->\n")
	end := []byte("<!-- written by " + benchmark + ": end -->\n")
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, ok := bytes.Cut(text, begin)
	_, after, ok2 := bytes.Cut(rest, end)
	if !ok || !ok2 {
		return fmt.Errorf("%s has no lines %q and %q", page, bytes.TrimSpace(begin), bytes.TrimSpace(end))
	}
	return os.WriteFile(page, slices.Concat(before, begin, section, end, after), 0o644)
}
