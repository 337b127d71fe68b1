package near

import (
	"context"
	"errors"
	"fmt"
	"sort"

	"laundromat/internal/fault"
	"laundromat/internal/linesort"
)

// Least is the likeness from which on two articles are of one group.
const Least = 0.7

// Options of a run; zero values mean what is said here.
type Options struct {
	Temp   string // the folder for what does not fit into memory; by default os.TempDir()
	Memory int64  // for sorting and for signatures; by default 64 MiB
}

// Counts are the repeats of an input.
type Counts struct {
	Name     string
	Articles int64
	Equal    [len(Keys)]int64 // articles that are equal to an earlier one, by key
	Repeated int64            // articles whose text is equal to that of an earlier one, or near it
}

// Run takes the articles of all inputs. It is used from one goroutine.
type Run struct {
	opt        Options
	sorter     *linesort.Sorter
	signatures signatures
	count      int
	inputs     []input
	line       []byte
	repeats    *Repeats // once they are found
}

// input is one with the number of its first article.
type input struct {
	name  string
	first int
}

// New returns a run without articles. It must be closed.
func New(opt Options) *Run {
	if opt.Memory <= 0 {
		opt.Memory = 64 << 20
	}
	return &Run{opt: opt, signatures: signatures{temp: opt.Temp, most: int(opt.Memory / 8)}}
}

// Input begins another input.
func (r *Run) Input(name string) { r.inputs = append(r.inputs, input{name, r.count}) }

// Add adds an article, and returns its number. They are numbered from 0.
func (r *Run) Add(e *Entry) (number int, err error) {
	if r.count == mostArticles {
		return 0, fault.New("near.Add", fault.Limit, fault.LimitMemory, "more than %d articles are not compared", r.count)
	}
	if len(r.inputs) == 0 {
		r.Input("")
	}
	if r.sorter == nil {
		r.sorter = linesort.New(linesort.Options{Temp: r.opt.Temp, Memory: r.opt.Memory / 2})
	}
	for i, has := range e.hasExact {
		if !has {
			continue
		}
		if err := r.add(exactTag+byte(i), e.exact[i]); err != nil {
			return 0, err
		}
	}
	if e.hasWords {
		for i, sum := range e.bands {
			if err := r.add(bandTag+byte(i), sum); err != nil {
				return 0, err
			}
		}
	}
	if err := r.addBlocks(e); err != nil {
		return 0, err
	}
	if err := r.signatures.add(&e.signature); err != nil {
		return 0, err
	}
	r.count++
	return r.count - 1, nil
}

// A line is a tag, which says what the hash is of, the hash, and the number of the article. No byte after the tag is
// one of ASCII, since some of those mean something to the sort.
// Equality is believed, so its hash is longer than that of a band, whose articles are compared.
const (
	exactTag     = 'A'
	bandTag      = 'a'
	exactLength  = 9
	bandLength   = 7
	numberLength = 4
	mostArticles = 1 << (7 * numberLength)
)

// groupOf is what all lines of a group begin with.
func groupOf(line []byte) []byte { return line[:len(line)-numberLength] }

func (r *Run) add(tag byte, hash uint64) error {
	r.line = append(r.line[:0], tag)
	length := bandLength
	if tag < bandTag {
		length = exactLength
	}
	r.line = appendBits(r.line, hash, length)
	r.line = appendBits(r.line, uint64(r.count), numberLength)
	return r.sorter.Add(0, r.line)
}

// appendBits appends the last bits of x, seven a byte.
func appendBits(dst []byte, x uint64, bytes int) []byte {
	for i := bytes - 1; i >= 0; i-- {
		dst = append(dst, 0x80|byte(x>>(7*i)))
	}
	return dst
}

func numberOf(line []byte) int { return bitsOf(line[len(line)-numberLength:]) }

// bitsOf reads what appendBits wrote.
func bitsOf(text []byte) (n int) {
	for _, b := range text {
		n = n<<7 | int(b&0x7F)
	}
	return n
}

// Finish finds the repeats among all articles. No article can be added any more.
func (r *Run) Finish(ctx context.Context) (*Repeats, error) {
	f := &finding{run: r, repeats: &Repeats{signatures: &r.signatures, same: make([]int32, r.count), group: make([]int32, r.count)}}
	r.repeats = f.repeats
	f.repeats.blocks.opt, f.repeats.blocks.ended = r.opt, true
	for i := range r.count {
		f.repeats.same[i], f.repeats.group[i] = int32(i), int32(i)
	}
	f.repeats.Inputs = make([]Counts, len(r.inputs))
	for i, in := range r.inputs {
		end := r.count
		if i+1 < len(r.inputs) {
			end = r.inputs[i+1].first
		}
		f.repeats.Inputs[i] = Counts{Name: in.name, Articles: int64(end - in.first)}
	}
	if r.sorter == nil {
		return f.repeats, nil
	}
	if err := r.signatures.flush(); err != nil {
		return nil, err
	}
	if _, err := r.sorter.Write(ctx, func(int) string { return "" }, f.line); err != nil {
		return nil, err
	}
	if err := f.end(); err != nil {
		return nil, err
	}
	if err := f.repeats.blocks.settle(ctx); err != nil {
		return nil, err
	}
	f.repeats.settle()
	for n := range f.repeats.group {
		if f.repeats.group[n] != int32(n) {
			f.repeats.Inputs[r.inputOf(n)].Repeated++
		}
	}
	return f.repeats, nil
}

// inputOf is the input of an article.
func (r *Run) inputOf(number int) int {
	return sort.Search(len(r.inputs), func(i int) bool { return r.inputs[i].first > number }) - 1
}

// Close removes what is on disk. The repeats can't be asked any more.
func (r *Run) Close() error {
	err := r.signatures.close()
	if r.sorter != nil {
		if closed := r.sorter.Close(); err == nil {
			err = closed
		}
	}
	if r.repeats != nil {
		err = errors.Join(err, r.repeats.blocks.close())
	}
	if err != nil {
		return fmt.Errorf("repeats: %w", err)
	}
	return nil
}
