// Package texts holds benchmarks of the text engine beside others, on real pages. They are tests, so that the program
// does not hold what is compared. Each reports megabytes of pages a second of one processor (MB/cpu-s), which other
// work on the machine disturbs less than the clock.
package texts
