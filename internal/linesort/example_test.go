package linesort_test

import (
	"context"
	"fmt"

	"laundromat/internal/linesort"
)

func Example() {
	s := linesort.New(linesort.Options{})
	defer s.Close()
	for document, lines := range [][]string{{"pear", "apple", "_:\x01_b1"}, {"apple", "_:\x01_b1"}} {
		for _, line := range lines {
			if err := s.Add(document, []byte(line)); err != nil {
				fmt.Println(err)
			}
		}
	}
	key := func(document int) string { return fmt.Sprint("key", document) }
	stats, err := s.Write(context.Background(), key, func(line []byte) error {
		_, err := fmt.Printf("%s\n", line)
		return err
	})
	fmt.Println(stats.Lines, stats.Duplicates, stats.PerDocument, err)
	// Output:
	// _:key0_b1
	// _:key1_b1
	// apple
	// pear
	// 4 1 [0 0] <nil>
}
