package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"laundromat/internal/fault"
)

// tarInput is what a tar reader reads. The reader refuses an entry for a number that it
// can't read, such as a time of "abc", though that costs nothing but the number. So headers
// are looked at first, and what is damaged in them is taken out.
type tarInput struct {
	in    input
	ready []byte // headers that are to be handed on
	body  int64  // bytes up to the next header
	raw   bool   // all else is handed on as it is
	zero  bool   // the last block was zero, as the end mark is
	held  []byte // keeps the room of ready

	faults   []string // of the current entry
	timeless bool     // its time is not known
	pax      tarPax
}

// newTarInput reads what begins at a place, in bytes of the whole stream.
func newTarInput(below io.Reader, at int64) *tarInput {
	return &tarInput{in: input{below: below, at: at}}
}

// tarPax is what the extended header before an entry says of it.
type tarPax struct {
	size     int64 // -1: nothing
	sizeLost bool  // it said something
	hasTime  bool
}

// Places of numbers in a header (POSIX.1-2024, pax, "ustar Interchange Format").
const (
	tarSizeAt, tarSizeEnd       = 124, 136
	tarTimeAt, tarTimeEnd       = 136, 148
	tarChecksumAt               = 148
	tarKindAt                   = 156
	tarMagicAt, tarMagicEnd     = 257, 263
	tarExtendedAt, tarExtension = 482, 504 // of the old sparse files of GNU
	tarStarAt                   = 508
	maxTarRecords               = 1 << 20 // bytes of an extended header; the reader takes no more
)

var tarNumbers = []struct {
	name     string
	from, to int
}{
	{"mode", 100, 108}, {"uid", 108, 116}, {"gid", 116, 124}, {"mtime", tarTimeAt, tarTimeEnd},
	{"devmajor", 329, 337}, {"devminor", 337, 345}, // from here on not in the oldest headers
	{"atime", 476, 488}, {"ctime", 488, 500}, // only in those of star
}

func (t *tarInput) Read(p []byte) (int, error) {
	if len(t.ready) == 0 && t.body == 0 && !t.raw {
		t.header()
	}
	if len(t.ready) > 0 {
		n := copy(p, t.ready)
		t.ready = t.ready[n:]
		t.zero = allZero(p[:min(n, tarBlock)])
		return n, nil
	}
	if !t.raw {
		p = p[:min(int64(len(p)), t.body)]
	}
	n, err := t.in.Read(p)
	if !t.raw {
		t.body -= int64(n)
	}
	if n > 0 {
		t.zero = allZero(p[:min(n, tarBlock)])
	}
	return n, err
}

// place is where the reading is, in bytes of what is below.
func (t *tarInput) place() int64 { return t.in.at - int64(len(t.ready)) }

// Seek skips bodies where that can be done.
func (t *tarInput) Seek(offset int64, whence int) (int64, error) {
	seeker, ok := t.in.below.(io.Seeker)
	if !ok || whence != io.SeekCurrent || len(t.ready) > 0 || len(t.in.again) > 0 || offset < 0 || !t.raw && offset > t.body {
		return 0, errNoSeek
	}
	at, err := seeker.Seek(offset, whence)
	if err == nil {
		t.in.at += offset
		t.zero = false
		if !t.raw {
			t.body -= offset
		}
	}
	return at, err
}

var errNoSeek = errors.New("archive: a stream can't be sought")

// behind reads what was read already, and then on.
func (t *tarInput) behind(read []byte) *tarInput {
	t.raw = true
	return newTarInput(io.MultiReader(bytes.NewReader(bytes.Clone(read)), t), t.place()-int64(len(read)))
}

// pull has n more bytes ready; false if they are not there.
func (t *tarInput) pull(n int) bool {
	from := len(t.ready)
	t.ready = append(t.ready, make([]byte, n)...)
	for at := from; at < from+n; {
		m, err := t.in.Read(t.ready[at : from+n])
		if at += m; err != nil && at < from+n {
			t.ready = t.ready[:at]
			return false
		}
	}
	return true
}

// header has the next header ready. What is none is handed on as it is, like all after it.
func (t *tarInput) header() {
	t.ready = t.held[:0]
	whole := t.pull(tarBlock)
	if len(t.ready) > 0 && allZero(t.ready) {
		whole = t.zeros(whole)
	}
	if !whole || !isTarHeader(t.ready) {
		t.raw = true
		return
	}
	if t.pax == (tarPax{}) {
		t.pax.size = -1
	}
	block := t.ready[:tarBlock]
	badTime := t.mendNumbers(block)
	size, ok := tarNumber(block[tarSizeAt:tarSizeEnd])
	ok = ok && size >= 0
	switch block[tarKindAt] {
	case 'x', 'g':
		if !ok || size > maxTarRecords || !t.pull(int(size+-size&(tarBlock-1))) {
			t.raw = true
			break
		}
		t.records(int(size))
	case 'L', 'K': // long names of GNU
		t.raw = !ok
		t.body = size + -size&(tarBlock-1)
	default:
		if badTime && !t.pax.hasTime {
			t.timeless = true
		}
		t.file(size, ok)
		t.pax = tarPax{}
	}
	t.held = t.ready
}

// file finds where the body of an entry ends.
func (t *tarInput) file(size int64, ok bool) {
	block := t.ready[:tarBlock]
	switch {
	case t.pax.size >= 0 && !ok:
		t.fault("the size in its header, %s, isn't a number", block[tarSizeAt:tarSizeEnd])
		clear(block[tarSizeAt:tarSizeEnd])
		sumTarHeader(block)
		size = t.pax.size
	case t.pax.size >= 0:
		size = t.pax.size
	case !ok:
		t.raw = true
		return
	}
	kind := block[tarKindAt]
	if kind >= '1' && kind <= '6' { // links, devices, folders, pipes: without a body
		return
	}
	for isExtended := kind == 'S' && block[tarExtendedAt] != 0; isExtended; {
		if !t.pull(tarBlock) {
			t.raw = true
			return
		}
		isExtended = t.ready[len(t.ready)-tarBlock:][tarExtension] != 0
	}
	if t.pax.sizeLost && size == 0 && !t.headerFollows() {
		t.ready[tarChecksumAt] = '?' // where the body ends is not known
		t.raw = true
		return
	}
	if size > 1<<62 {
		t.raw = true
		return
	}
	t.body = size + -size&(tarBlock-1)
}

// headerFollows says whether a header, or the end, is next.
func (t *tarInput) headerFollows() bool {
	ahead := t.ahead()
	return allZero(ahead) || len(ahead) == tarBlock && isTarHeader(ahead)
}

// zeros reads on behind a block of zeros, which may be whole. A header behind a single one is read. An end mark
// that is cut short is one all the same: nothing is lost with it.
func (t *tarInput) zeros(whole bool) bool {
	if !whole {
		t.ready, t.zero = t.ready[:0], true
		return false
	}
	ahead := t.ahead()
	switch {
	case len(ahead) == tarBlock && isTarHeader(ahead):
		t.pull(tarBlock)
		t.ready = t.ready[:copy(t.ready, t.ready[tarBlock:])]
		t.faults = append(t.faults, "a block of zeros is before it, and the end mark has two")
	case len(ahead) < tarBlock && allZero(ahead):
		t.pull(tarBlock)
		t.ready = t.ready[:tarBlock]
	}
	return true
}

// ahead is the next block, or what there is of it. It is not read.
func (t *tarInput) ahead() []byte {
	from := len(t.ready)
	t.pull(tarBlock)
	ahead := t.ready[from:]
	t.in.giveBack(ahead)
	t.ready = t.ready[:from]
	return ahead
}

// mendNumbers clears the numbers that can't be read, and says whether the time was one.
func (t *tarInput) mendNumbers(block []byte) (badTime bool) {
	mended := false
	for i, f := range tarNumbers {
		if i == 4 && string(block[tarMagicAt:tarMagicEnd-1]) != "ustar" || i == 6 && string(block[tarStarAt:]) != "tar\x00" {
			break
		}
		field := block[f.from:f.to]
		if n, ok := tarNumber(field); ok {
			mended = plainTarNumber(field, n) || mended
			continue
		}
		t.fault("the "+f.name+" in its header, %s, isn't a number", field)
		clear(field)
		mended = true
		badTime = badTime || f.from == tarTimeAt
	}
	if n, ok := tarNumber(block[tarSizeAt:tarSizeEnd]); ok {
		mended = plainTarNumber(block[tarSizeAt:tarSizeEnd], n) || mended
	}
	if sum := block[tarChecksumAt:tarKindAt]; mended || sum[0]&0x80 != 0 || !isPlainTarNumber(sum) {
		sumTarHeader(block)
	}
	return badTime
}

// isPlainTarNumber says that nothing but blanks is around the digits: the reader takes no other.
func isPlainTarNumber(field []byte) bool {
	return field[0]&0x80 != 0 || !bytes.ContainsAny(bytes.Trim(field, " \x00"), " \x00")
}

// plainTarNumber writes a number again that has other bytes behind it, and says whether it had any.
func plainTarNumber(field []byte, n int64) bool {
	if isPlainTarNumber(field) {
		return false
	}
	clear(field)
	copy(field, fmt.Sprintf("%0*o", len(field)-1, n))
	return true
}

func (t *tarInput) fault(format string, value []byte) {
	t.faults = append(t.faults, fmt.Sprintf(format, fault.Excerpt(bytes.Trim(value, " \x00"))))
}

// tarNumber reads a number in octal digits, or in the binary form of GNU. The first zero byte or
// space behind the digits ends it, whatever follows.
func tarNumber(field []byte) (int64, bool) {
	if field[0]&0x80 != 0 {
		return tarBinary(field)
	}
	field = bytes.TrimLeft(field, " \x00")
	if end := bytes.IndexAny(field, " \x00"); end >= 0 {
		field = field[:end]
	}
	var n int64
	for _, digit := range field {
		if digit < '0' || digit > '7' || n > 1<<59 {
			return 0, false
		}
		n = n<<3 | int64(digit-'0')
	}
	return n, true
}

func tarBinary(field []byte) (int64, bool) {
	inverted := byte(0)
	if field[0]&0x40 != 0 {
		inverted = 0xFF
	}
	var n uint64
	for i, b := range field {
		if b ^= inverted; i == 0 {
			b &= 0x7F
		}
		if n>>55 > 0 {
			return 0, false
		}
		n = n<<8 | uint64(b)
	}
	if inverted != 0 {
		return ^int64(n), true
	}
	return int64(n), true
}

// sumTarHeader writes the checksum of a header that was changed.
func sumTarHeader(block []byte) {
	copy(block[tarChecksumAt:tarKindAt], "        ")
	sum := 0
	for _, b := range block {
		sum += int(b)
	}
	copy(block[tarChecksumAt:tarKindAt], fmt.Sprintf("%06o\x00 ", sum))
}

// records reads the extended header that is ready, and takes out what is damaged in it.
func (t *tarInput) records(size int) {
	isGlobal := t.ready[tarKindAt] == 'g'
	pax := tarPax{size: -1}
	if isGlobal {
		pax = t.pax
	}
	var sound []byte
	isSound, isLengthTold := true, false
	rest := string(t.ready[tarBlock : tarBlock+size])
	for len(rest) > 0 {
		key, value, behind, ok := paxRecord(rest)
		if !ok {
			isSound = false
			if strings.Trim(rest, "\x00") == "" {
				t.faults = append(t.faults, "its pax records are followed by zero bytes")
				break
			}
			if !isLengthTold {
				t.fault("a pax record, %s, has a wrong length", []byte(rest[:min(len(rest), 64)]))
				isLengthTold = true
			}
			if key, value, behind, ok = paxLine(rest); !ok {
				rest = behind
				continue
			}
		}
		rest = behind
		if end := strings.IndexByte(value, 0); end >= 0 && (key == "path" || key == "linkpath" || key == "uname" || key == "gname") {
			t.fault("its pax record "+key+", %s, has a zero byte in it", []byte(value))
			isSound, value = false, value[:end]
		}
		if !isGlobal && !t.known(&pax, key, value) {
			isSound = false
			continue
		}
		sound = appendPaxRecord(sound, key, value)
	}
	t.pax = pax
	if isSound {
		return
	}
	t.ready = append(t.ready[:tarBlock], sound...)
	t.ready = append(t.ready, make([]byte, -len(sound)&(tarBlock-1))...)
	copy(t.ready[tarSizeAt:tarSizeEnd], fmt.Sprintf("%011o\x00", len(sound)))
	sumTarHeader(t.ready[:tarBlock])
}

// known takes what a record says that counts here; false if its value is damaged.
func (t *tarInput) known(pax *tarPax, key, value string) bool {
	what := "number"
	ok := true
	switch key {
	case "mtime", "atime", "ctime":
		what = "time"
		ok = isPaxTime(value) || value == "" && key != "mtime"
	case "uid", "gid":
		_, err := strconv.ParseInt(value, 10, 64)
		ok = err == nil || value == ""
	case "size":
		n, err := strconv.ParseInt(value, 10, 64)
		if ok = err == nil && n >= 0 || value == ""; !ok {
			pax.sizeLost = true
		} else if value != "" {
			pax.size = n
		}
	}
	if key == "mtime" {
		pax.hasTime, t.timeless = ok, !ok
	}
	if !ok {
		t.fault("its pax record "+key+", %s, isn't a "+what, []byte(value))
	}
	return ok
}

// isPaxTime says whether a text is a number of seconds, maybe with a fraction.
func isPaxTime(text string) bool {
	seconds, fraction, _ := strings.Cut(text, ".")
	_, err := strconv.ParseInt(seconds, 10, 64)
	return err == nil && strings.Trim(fraction, "0123456789") == ""
}

// paxRecord reads the first record of a text: its length, a space, key=value, a line end.
func paxRecord(text string) (key, value, rest string, ok bool) {
	digits, record, ok := strings.Cut(text, " ")
	if !ok {
		return "", "", "", false
	}
	n, err := strconv.Atoi(digits)
	if n -= len(digits) + 1; err != nil || n <= 0 || n > len(record) || record[n-1] != '\n' {
		return "", "", "", false
	}
	key, value, ok = strings.Cut(record[:n-1], "=")
	return key, value, record[n:], ok && key != "" && !strings.Contains(key, "\x00")
}

// paxLine reads a record whose length is wrong as far as its line goes.
func paxLine(text string) (key, value, rest string, ok bool) {
	line, rest, _ := strings.Cut(text, "\n")
	line = strings.TrimLeft(strings.TrimLeft(line, "-+0123456789"), " ")
	key, value, ok = strings.Cut(line, "=")
	isName := func(r rune) bool { return r > ' ' && r < 0x7F }
	return key, value, rest, ok && key != "" && strings.IndexFunc(key, func(r rune) bool { return !isName(r) }) < 0
}

func appendPaxRecord(records []byte, key, value string) []byte {
	length := len(key) + len(value) + 3
	for n := length + len(strconv.Itoa(length)); ; n++ {
		if digits := strconv.Itoa(n); n == length+len(digits) {
			return fmt.Appendf(records, "%s %s=%s\n", digits, key, value)
		}
	}
}
