package bolt

import (
	"bytes"
	"testing"

	"laundromat/seedlist"
)

func TestAFlippedBitIsNeverReadAsARecord(t *testing.T) {
	key := appendNumber(nil, 3)
	for which, said := range map[int]string{
		inCold: `{"hash":"0123456789abcdef0123456789abcdef","uri":"http://example.org/a","added":"2024-01-01T00:00:00Z"}`,
		inLog:  `{"id":"a – b – c","seed":"0123456789abcdef0123456789abcdef","fence":2}`,
		inCatalogs: "\x01\x00\x00\x00\x00\x00\x00\x00\x00" +
			`{"hash":"0123456789abcdef0123456789abcdef","uri":"http://example.org/void.ttl"}`,
	} {
		record := withSum(which, key, []byte(said))
		if err := summed[which].check(key, record); err != nil {
			t.Fatalf("%s: %v", bucketNames[which], err)
		}
		for at := range record {
			for bit := range 8 {
				damaged := bytes.Clone(record)
				damaged[at] ^= 1 << bit
				if summed[which].check(key, damaged) == nil {
					t.Errorf("%s: bit %d of byte %d", bucketNames[which], bit, at)
				}
			}
		}
		if summed[which].check(key, []byte(said)) != errNoSum {
			t.Errorf("%s: a record without its sum is read", bucketNames[which])
		}
	}
}

// FuzzRecord holds that no bytes of a record make its reader panic, and that what is read is
// what the sum was made of.
func FuzzRecord(f *testing.F) {
	h := hot{state: seedlist.Guessing, last: seedlist.Failed, fence: 9, due: -5, priority: -7}
	f.Add(uint8(0), uint64(3), withSum(inHot, appendNumber(nil, 3), h.encode()))
	f.Add(uint8(1), uint64(3), withSum(inCold, appendNumber(nil, 3), []byte(`{"hash":"00","uri":"http://example.org/"}`)))
	f.Add(uint8(2), uint64(3), []byte(`{"id":"a"}`))
	f.Add(uint8(3), uint64(3), []byte("\x01\x00\x00\x00\x00\x00\x00\x00\x00{}"))
	f.Add(uint8(3), uint64(3), []byte{sumVersion})
	f.Fuzz(func(t *testing.T, bucket uint8, id uint64, record []byte) {
		which := [...]int{inHot, inCold, inLog, inCatalogs}[int(bucket)%4]
		key := appendNumber(nil, id)
		if summed[which].check(key, record) != nil {
			return
		}
		said, err := checkSum(which, key, record)
		if err != nil {
			t.Fatal(err)
		}
		again := withSum(which, key, said)
		if !bytes.Equal(again, record) {
			t.Errorf("%x was read as if it were %x", record, again)
		}
		if err := summed[which].check(key, again); err != nil {
			t.Errorf("what was read can't be read with its sum: %v", err)
		}
	})
}

// BenchmarkSum is what the sums of one record cost: made when it is written, and held when it is read.
func BenchmarkSum(b *testing.B) {
	key := appendNumber(nil, 3)
	h := hot{state: seedlist.Guessing, last: seedlist.Failed, fence: 9, due: -5, priority: -7}
	for name, said := range map[string][]byte{"hot": h.encode(), "cold of 1500 bytes": bytes.Repeat([]byte("x"), 1500)} {
		which := inHot
		if len(said) > hotSize {
			which = inCold
		}
		b.Run(name+", written", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				withSum(which, key, said)
			}
		})
		record := withSum(which, key, said)
		b.Run(name+", read", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := checkSum(which, key, record); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
