package extract_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"syscall"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/extract"
)

type tally struct{ records, fields, notices int }

func (t *tally) Record(r *records.Record) error {
	t.records++
	t.fields += len(r.Fields)
	return nil
}
func (t *tally) Notice(fault.Notice) { t.notices++ }

// generated is a table of about n bytes, a fifth of whose fields are quoted.
func generated(n int, quoted bool) []byte {
	var b bytes.Buffer
	b.WriteString("id,name,place,note,amount,date\n")
	for i := 0; b.Len() < n; i++ {
		if quoted {
			fmt.Fprintf(&b, "%d,Person number %d,Town,\"words, and %d more\",%d.%02d,2024-%02d-%02d\n", i, i%977, i%53, i%10000, i%100,
				i%12+1, i%28+1)
		} else {
			fmt.Fprintf(&b, "%d,Person number %d,Town,words and %d more,%d.%02d,2024-%02d-%02d\n", i, i%977, i%53, i%10000, i%100, i%12+1,
				i%28+1)
		}
	}
	return b.Bytes()
}

// BenchmarkStandardCSV is what the reader of the standard library, which knows no faults and no
// places, takes for the same.
func BenchmarkStandardCSV(b *testing.B) {
	text := generated(32<<20, true)
	b.SetBytes(int64(len(text)))
	before := processorTime()
	for range b.N {
		r := csv.NewReader(bytes.NewReader(text))
		r.ReuseRecord = true
		for {
			if _, err := r.Read(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(len(text))*float64(b.N)/1e6/(processorTime()-before).Seconds(), "MB/cpu-s")
}

// processorTime is what the process has used. It says more than the clock on a machine that
// others use.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkCSV(b *testing.B) {
	faulty := bytes.ReplaceAll(generated(32<<20, true), []byte("0 more\""), []byte("0 \"more\""))
	for name, text := range map[string][]byte{"quoted": generated(32<<20, true), "plain": generated(32<<20, false), "faults": faulty} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			before := processorTime()
			defer func() {
				b.ReportMetric(float64(len(text))*float64(b.N)/1e6/(processorTime()-before).Seconds(), "MB/cpu-s")
			}()
			for range b.N {
				var t tally
				if err := extract.Read(context.Background(), extract.Document{Name: "a.csv", Text: bytes.NewReader(text)},
					extract.Options{}, &t); err != nil {
					b.Fatal(err)
				}
				if t.records < 1000 {
					b.Fatal(t)
				}
			}
		})
	}
}

// BenchmarkBeginning is what finding out the dialect of a table costs. The table is no longer than what is looked at.
func BenchmarkBeginning(b *testing.B) {
	text := generated(64<<10, false)
	b.ReportAllocs()
	before := processorTime()
	for range b.N {
		if err := extract.Read(context.Background(), extract.Document{Name: "a.csv", Text: bytes.NewReader(text)}, extract.Options{},
			&tally{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64((processorTime()-before).Microseconds())/1e3/float64(b.N), "cpu-ms/op")
}
