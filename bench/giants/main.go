// Command giants measures the memory of the daemon on many large documents queued at once. A server on
// the loopback interface gives them out, and "laundromat serve --until-idle" washes them. Its
// anonymous memory is compared with --memory.
//
//	go -C bench run ./giants                        100 documents of a gigabyte (1e9 bytes), 256 MiB
//	go -C bench run ./giants -n 10 -size 100000000  fewer, smaller
//	go -C bench run ./giants -- --workers 8         flags after -- go to laundromat
//
// It ends with 1 if the memory was more than it was given, or if a document was not washed to what it
// holds. The documents are N-Triples in no order, as gzip. The first member of each is its own, so
// that no two are the same. The others are made once. On the disk a document takes twice its
// compressed size, as it came and clean. While it is sorted, it takes a little more than its size
// before compression. There is to be room for all before the first begins.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"laundromat/bench/process"
	"laundromat/internal/disk"
)

type options struct {
	*process.Setup
	documents int
	size      int64 // of each, in bytes, before compression
	memory    int64 // MiB

	body  []byte // what all have in common, compressed
	lines int64  // in that
}

func main() {
	var o options
	flag.IntVar(&o.documents, "n", 100, "documents")
	flag.Int64Var(&o.size, "size", 1e9, "bytes of each, before compression")
	flag.Int64Var(&o.memory, "memory", 256, "--memory of the daemon, in MiB")
	process.Main("giants", 1, func(ctx context.Context, s *process.Setup) error {
		o.Setup = s
		return run(ctx, o)
	})
}

func run(ctx context.Context, o options) error {
	if err := o.make(); err != nil {
		return err
	}
	free, err := disk.Free(o.Folder)
	if need := o.need(); err == nil && free < need {
		return fmt.Errorf("%d documents of %d bytes may take %d MB on the disk, and %d MB are free: see -n, -size, and -dir", o.documents,
			o.size, need/1e6, free/1e6)
	}
	base, stop, err := process.Serve(o.document)
	if err != nil {
		return err
	}
	defer stop()
	seeds := filepath.Join(o.Folder, "seeds.txt")
	var list strings.Builder
	for i := range o.documents {
		fmt.Fprintf(&list, "%s/%d.nt.gz\n", base, i)
	}
	if err := os.WriteFile(seeds, []byte(list.String()), 0o600); err != nil {
		return err
	}
	fmt.Printf("%9s %8s %8s %8s %8s %8s %10s %9s %12s\n",
		"documents", "MB each", "seconds", "user s", "sys s", "server s", "disk MB", "bound MiB", "RssAnon MiB")
	for i := range o.Runs {
		if err := o.once(ctx, filepath.Join(o.Folder, fmt.Sprintf("data-%d", i)), seeds); err != nil {
			return err
		}
	}
	return nil
}

// atOnce is how many documents may be sorted at the same time: each draws an eighth of the memory
// and more.
const atOnce = 4

// need is how much of the disk a run may take.
func (o *options) need() int64 {
	return int64(o.documents)*int64(len(o.body))*2 + atOnce*o.size*6/5
}

// once washes all documents into a new data folder and prints a line of the table.
func (o *options) once(ctx context.Context, data, seeds string) error {
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	watching, stop := context.WithCancel(ctx)
	least := make(chan int64)
	free, _ := disk.Free(o.Folder) // 0 where that is not known
	go func() { least <- leastFree(watching, o.Folder) }()
	usage, own, err := o.Wash(ctx, data, seeds, "--memory", strconv.FormatInt(o.memory, 10)+"M")
	stop()
	taken := free - <-least
	if err != nil {
		return err
	}
	if err := o.verify(ctx, data); err != nil {
		return err
	}
	fmt.Printf("%9d %8.0f %8.1f %8.1f %8.1f %8.1f %10d %9d %12.1f\n", o.documents, float64(o.size)/1e6, usage.Wall.Seconds(),
		usage.User.Seconds(), usage.System.Seconds(), own.Seconds(), taken/1e6, o.memory, float64(usage.PeakAnonymous)/(1<<20))
	if usage.PeakAnonymous > o.memory<<20 {
		return errors.New("the daemon took more memory than it was given")
	}
	return os.RemoveAll(data)
}

// leastFree is the least that the disk had free until ctx ended; others may use it, too.
func leastFree(ctx context.Context, folder string) int64 {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	least, _ := disk.Free(folder)
	for {
		select {
		case <-tick.C:
			if free, err := disk.Free(folder); err == nil {
				least = min(least, free)
			}
		case <-ctx.Done():
			return least
		}
	}
}

// verify holds what became of each seed against what its document holds.
func (o *options) verify(ctx context.Context, data string) error {
	out, err := o.Parsed(ctx, data)
	if err != nil {
		return err
	}
	parsed := 0
	for record := range bytes.Lines(out) {
		var seed struct {
			URI        string
			Statements *struct{ Read, Written int64 }
		}
		if err := json.Unmarshal(record, &seed); err != nil {
			return err
		}
		if seed.URI == "" {
			continue // of a clean file
		}
		parsed++
		if s := seed.Statements; s == nil || s.Written != o.lines+1 {
			return fmt.Errorf("%s: %+v, where %d statements are", seed.URI, s, o.lines+1)
		}
	}
	if parsed != o.documents {
		return fmt.Errorf("%d of %d documents were parsed", parsed, o.documents)
	}
	return nil
}

// memberText is the text of one member, in bytes.
const memberText = 4 << 20

// make makes what all documents have in common: lines in no order, so that each has to be sorted
// outside of memory.
func (o *options) make() error {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	if err != nil {
		return err
	}
	text := bufio.NewWriterSize(z, 1<<16)
	count := max(1, o.size/int64(len(line(nil, 0))))
	stride := int64(1_000_003) // a prime, so that number is each once, unless it divides count
	if count%stride == 0 {
		stride = 1_000_033
	}
	var buffer []byte
	var written int64
	for i := range count {
		buffer = line(buffer[:0], i*stride%count)
		if _, err := text.Write(buffer); err != nil {
			return err
		}
		if written += int64(len(buffer)); written >= memberText {
			written = 0
			if err := errors.Join(text.Flush(), z.Close()); err != nil {
				return err
			}
			z.Reset(&packed)
		}
	}
	if err := errors.Join(text.Flush(), z.Close()); err != nil {
		return err
	}
	o.body, o.lines = packed.Bytes(), count
	return nil
}

// line appends the statement of a number.
func line(dst []byte, number int64) []byte {
	return fmt.Appendf(dst,
		"<http://example.org/resource/%09d> <http://example.org/ontology/property%02d> \"the value that stands here for %09d\"@en .\n",
		number/8, number%8, number)
}

// document answers a request for /NUMBER.nt.gz.
func (o *options) document(w http.ResponseWriter, r *http.Request) {
	number, ok := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, "/"), ".nt.gz")
	if n, err := strconv.Atoi(number); !ok || err != nil || n < 0 || n >= o.documents {
		http.NotFound(w, r)
		return
	}
	var own bytes.Buffer
	z := gzip.NewWriter(&own)
	fmt.Fprintf(z, "<http://example.org/document/%s> <http://example.org/ontology/number> \"%s\" .\n", number, number)
	z.Close() // no error: it goes to memory
	w.Header().Set("Content-Type", "application/gzip")
	w.Header().Set("Content-Length", strconv.Itoa(own.Len()+len(o.body)))
	io.Copy(w, io.MultiReader(&own, bytes.NewReader(o.body)))
}
