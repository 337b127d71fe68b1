package archive_test

import (
	"archive/tar"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"laundromat/archive"
)

// tarHeader is a header as the ustar format has it; put changes it before its checksum is made.
func tarHeader(kind byte, name string, size int, put func(block []byte)) string {
	block := make([]byte, 512)
	copy(block, name)
	copy(block[100:], "0000644\x000000000\x000000000\x00")
	copy(block[124:], fmt.Sprintf("%011o\x00%011o\x00", size, day.Unix()))
	block[156] = kind
	copy(block[257:], "ustar\x0000")
	if put != nil {
		put(block)
	}
	copy(block[148:], "        ")
	sum := 0
	for _, b := range block {
		sum += int(b)
	}
	copy(block[148:], fmt.Sprintf("%06o\x00 ", sum))
	return string(block)
}

func padded(body string) string { return body + strings.Repeat("\x00", -len(body)&511) }

// pax is an extended header of the given records, each with its right length.
func pax(records ...string) string {
	body := ""
	for _, r := range records {
		n := len(r) + 2
		for len(fmt.Sprint(n))+len(r)+2 != n {
			n++
		}
		body += fmt.Sprintf("%d %s\n", n, r)
	}
	return rawPax(body)
}

func rawPax(body string) string { return tarHeader('x', "PaxHeader/b", len(body), nil) + padded(body) }

func tarFile(m member, put func([]byte)) string {
	return tarHeader('0', m.name, len(m.body), put) + padded(m.body)
}

func field(at int, value string) func([]byte) {
	return func(block []byte) { copy(block[at:], value) }
}

func TestADamagedNumberInATarCostsNothingElse(t *testing.T) {
	a, b, c := member{"a.nt", lines(700)}, member{"b.nt", lines(300)}, member{"c.nt", lines(512)}
	half := time.Unix(1400000000, 500_000_000)
	unknown := time.Time{}
	far := "\x80\x00\x00\x00\x00\x7F\xFF\xFF\xFF\xFF\xFF\xFF"
	for _, c3 := range []struct {
		name, before, after string // what is before b, and what of its header is put there
		at                  int
		time                time.Time
		told                string // "" for nothing
	}{
		{"sound", pax("mtime=1400000000.5"), "", 0, half, ""},
		{"before 1970", pax("mtime=-1.5"), "", 0, time.Unix(-1, -500_000_000), ""},
		{"many digits", pax("mtime=1400000000.50000000000000001"), "", 0, half, ""},
		{"a word", pax("mtime=abc"), "", 0, unknown, "mtime, abc, isn't a time"},
		{"empty", pax("mtime="), "", 0, unknown, "isn't a time"},
		{"NaN", pax("mtime=NaN"), "", 0, unknown, "NaN"},
		{"an exponent", pax("mtime=1.4e9"), "", 0, unknown, "1.4e9"},
		{"a comma", pax("mtime=1400000000,5"), "", 0, unknown, "isn't a time"},
		{"a date", pax("mtime=2014-10-19T12:30:00Z"), "", 0, unknown, "2014-10-19"},
		{"overlong", pax("mtime=" + strings.Repeat("9", 400)), "", 0, unknown, "isn't a time"},
		{"huge", pax("mtime=9000000000000000000"), "", 0, unknown, "lies in the year"},
		{"before all years", pax("mtime=-99999999999999"), "", 0, unknown, "lies in the year"},
		{"spaces", pax("mtime= 1400000000"), "", 0, unknown, "isn't a time"},
		{"atime", pax("atime=abc", "mtime=1400000000.5"), "", 0, half, "atime, abc"},
		{"ctime", pax("mtime=1400000000.5", "ctime=-"), "", 0, half, "ctime"},
		{"owner", pax("uid=root", "gid=0x10"), "", 0, day, "uid, root"},
		{"size", pax("size=many"), "", 0, day, "size, many"},
		{"size below 0", pax("size=-5"), "", 0, day, "size, -5"},
		{"length too long", rawPax("40 mtime=1400000000.5\n"), "", 0, half, "wrong length"},
		{"length too short", rawPax("9 mtime=1400000000.5\n"), "", 0, half, "wrong length"},
		{"no length", rawPax("mtime=1400000000.5\n"), "", 0, half, "wrong length"},
		{"a huge length", rawPax("99999999999999999999 mtime=1400000000.5\n"), "", 0, half, "wrong length"},
		{"wrong lengths, the time too", rawPax("7 mtime=never\n"), "", 0, unknown, "wrong length"},
		{"no records", rawPax("what is this"), "", 0, day, "wrong length"},
		{"zero bytes behind", rawPax("22 mtime=1400000000.5\n\x00\x00\x00\x00"), "", 0, half, "zero bytes"},
		{"its own header", tarHeader('x', "p", 22, field(136, "yesterday\x00\x00\x00")) + padded("22 mtime=1400000000.5\n"), "", 0, half,
			"yesterday"},
		{"header: a word", "", "notatime\x00\x00\x00\x00", 136, unknown, "mtime in its header, notatime"},
		{"header: a word, pax sound", pax("mtime=1400000000.5"), "notatime\x00\x00\x00\x00", 136, half, "notatime"},
		{"header: decimal", "", "1413721800.\x00", 136, unknown, "mtime in its header"},
		{"header: empty", "", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", 136, time.Unix(0, 0), ""},
		{"header: binary", "", "\x80\x00\x00\x00\x00\x00\x00\x00\x53\x72\x4E\x00", 136, time.Unix(0x53724E00, 0), ""},
		{"header: binary, negative", "", "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 136, time.Unix(-1, 0), ""},
		{"header: binary, huge", "", far, 136, unknown, "lies in the year"},
		{"header: binary, overflowing", "", "\x80\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 136, unknown, "mtime in its header"},
		{"header: owner", "", "nobody\x00\x00", 108, day, "uid in its header, nobody"},
		{"header: mode", "", "rw-r--r-", 100, day, "mode in its header"},
		{"header: device", "", "zero\x00\x00\x00\x00", 329, day, "devmajor in its header"},
		{"header: size, pax sound", pax(fmt.Sprintf("size=%d", len(b.body))), "all of it\x00\x00\x00", 124, day,
			"the size in its header, all of it"},
	} {
		data := tarFile(a, nil) + c3.before + tarFile(b, field(c3.at, c3.after)) + tarFile(c, nil) + strings.Repeat("\x00", 1024)
		if c3.after == "" {
			data = tarFile(a, nil) + c3.before + tarFile(b, nil) + tarFile(c, nil) + strings.Repeat("\x00", 1024)
		}
		for _, packed := range []string{data, gz(t, data)} {
			got := readAll(t, packed, "", archive.Limits{})
			if !slices.Equal(got.entries, []member{a, b, c}) || got.err != nil {
				t.Errorf("%s: %d entries, error %v, notices %v", c3.name, len(got.entries), got.err, got.notices)
				continue
			}
			if !got.times[1].Equal(c3.time) || !got.times[0].Equal(day) || !got.times[2].Equal(day) {
				t.Errorf("%s: times %v, want %v for the second", c3.name, got.times, c3.time)
			}
			want := ""
			if c3.told != "" {
				want = "warning archive/bad-field 0"
			}
			if got.codes() != want || want != "" && !strings.Contains(got.notices[0].Message, c3.told) {
				t.Errorf("%s: notices %v, want %q", c3.name, got.notices, c3.told)
			}
		}
	}
}

// Python's tarfile and 7z end a number at the first zero byte; 7z does so at a space too.
func TestANumberOfATarEndsAtItsFirstBlank(t *testing.T) {
	a, b, c := member{"a.nt", lines(700)}, member{"b.nt", lines(900)}, member{"c.nt", lines(512)}
	size, octal := len(b.body), fmt.Sprintf("%o", len(b.body))
	checksum := func(form func(sum int) string) func(block string) string {
		return func(block string) string {
			sum := 0
			for i := range len(block) {
				if sum += int(block[i]); i >= 148 && i < 156 {
					sum += ' ' - int(block[i])
				}
			}
			return block[:148] + form(sum) + block[156:]
		}
	}
	binary := func(n, width int) string {
		return "\x80" + strings.Repeat("\x00", width-5) + string([]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
	}
	same := func(block string) string { return block }
	for name, s := range map[string]struct {
		put  func([]byte)
		then func(string) string
	}{
		"size, garbage behind a zero byte":   {field(124, (octal + "\x00\xC1garbage..")[:12]), same},
		"size, garbage behind a space":       {field(124, (octal + " 99 garbage")[:12]), same},
		"size, digits behind a zero byte":    {field(124, (octal + "\x007777777777")[:12]), same},
		"size, spaces before it":             {field(124, fmt.Sprintf("%10s \x00", octal)), same},
		"size, no blank at all":              {field(124, fmt.Sprintf("%012o", size)), same},
		"size, binary":                       {field(124, binary(size, 12)), same},
		"mode, garbage behind a zero byte":   {field(100, "644\x00\x01\x02\x03\x04"), same},
		"owner, text behind a zero byte":     {field(108, "1750\x00abc"), same},
		"owner, binary":                      {field(108, binary(3_000_000, 8)), same},
		"owner, negative":                    {field(108, strings.Repeat("\xFF", 8)), same},
		"group, text behind a space":         {field(116, "1750 ab\x00"), same},
		"device, garbage behind a zero byte": {field(329, "0\x00\xFF\xFF\xFF\xFF\xFF\xFF"), same},
		"checksum, garbage behind it":        {nil, checksum(func(sum int) string { return fmt.Sprintf("%05o\x00\x01\x02", sum) })},
		"checksum, digits behind it":         {nil, checksum(func(sum int) string { return fmt.Sprintf("%05o\x0077", sum) })},
		"checksum, text behind a space":      {nil, checksum(func(sum int) string { return fmt.Sprintf("%05o ab", sum) })},
		"checksum, seven digits":             {nil, checksum(func(sum int) string { return fmt.Sprintf("%07o\x00", sum) })},
		"checksum, eight digits":             {nil, checksum(func(sum int) string { return fmt.Sprintf("%08o", sum) })},
		"checksum, binary":                   {nil, checksum(func(sum int) string { return binary(sum, 8) })},
	} {
		head := s.then(tarHeader('0', b.name, size, s.put))
		data := tarFile(a, nil) + head + padded(b.body) + tarFile(c, nil) + strings.Repeat("\x00", 1024)
		got := readAll(t, data, "", archive.Limits{})
		if !slices.Equal(got.entries, []member{a, b, c}) || got.err != nil || got.codes() != "" || !got.times[1].Equal(day) {
			t.Errorf("%s: %d entries, error %v, notices %v", name, len(got.entries), got.err, got.notices)
		}
		if first := readAll(t, head+padded(b.body)+strings.Repeat("\x00", 1024), "", archive.Limits{}); !slices.Equal(first.entries,
			[]member{b}) {
			t.Errorf("%s, as the first: format %q, %d entries, notices %v", name, first.format, len(first.entries), first.notices)
		}
	}
}

func TestATarWhoseSizesAreNotKnownGoesOnAtTheNextHeader(t *testing.T) {
	a, b, c := member{"a.nt", lines(700)}, member{"b.nt", lines(900)}, member{"c.nt", lines(512)}
	end := strings.Repeat("\x00", 1024)
	zeroSize := field(124, "00000000000\x00")
	for _, c3 := range []struct{ name, second, told string }{
		{"size lost in both", pax("size=x") + tarFile(b, zeroSize), "drop archive/corrupt 1"},
		{"size of the header lost", tarFile(b, field(124, "unknown\x00\x00\x00\x00\x00")), "drop archive/corrupt 1"},
	} {
		got := readAll(t, tarFile(a, nil)+c3.second+tarFile(c, nil)+end, "", archive.Limits{})
		if !slices.Equal(got.entries, []member{a, c}) || got.codes() != c3.told {
			t.Errorf("%s: %d entries, notices %v", c3.name, len(got.entries), got.notices)
		}
	}
	got := readAll(t, tarFile(a, nil)+pax("size=x")+tarFile(member{"b.nt", ""}, nil)+tarFile(c, nil)+end, "", archive.Limits{})
	if !slices.Equal(got.entries, []member{a, {"b.nt", ""}, c}) || got.codes() != "warning archive/bad-field 0" {
		t.Errorf("an empty entry: %d entries, notices %v", len(got.entries), got.notices)
	}
	global := tarHeader('g', "g", 12, nil) + padded("99 comment=x") // a wrong length
	got = readAll(t, global+tarFile(a, nil)+end, "", archive.Limits{})
	if !slices.Equal(got.entries, []member{a}) || got.codes() != "warning archive/bad-field 0" {
		t.Errorf("a global header: %d entries, notices %v", len(got.entries), got.notices)
	}
}

// Tars are written by the library, then some of the times in them are overwritten. Whatever
// the new bytes are, all entries are read, and a sound time is kept.
func TestTarsWithDamagedTimesGiveAllEntries(t *testing.T) {
	bsdtar, err := exec.LookPath("bsdtar")
	if err != nil {
		t.Log("without bsdtar, its entries are not compared")
	}
	r := rand.New(rand.NewPCG(23, 11))
	values := []string{"abc", "NaN", "1e9", "-", "+-1", "0x5F", "1400000000.x", "inf", "١٢٣", "99999999999999999999999", "1.2.3", " ",
		"12:30", "\xff\xfe", "nil"}
	for n := range 200 {
		var b bytes.Buffer
		var want []member
		damaged := map[int]bool{}
		w := tar.NewWriter(&b)
		for i := range 1 + r.IntN(6) {
			m := member{fmt.Sprintf("d/%d-%d.nt", n, i), lines(r.IntN(1500))}
			if r.IntN(8) == 0 {
				m.name = strings.Repeat("long/", 40) + m.name
			}
			want = append(want, m)
			if r.IntN(2) == 0 {
				damaged[i] = true
				records := []string{"mtime=" + values[r.IntN(len(values))]}
				for _, key := range []string{"atime", "ctime", "uid"} {
					if r.IntN(3) == 0 {
						records = append(records, key+"="+values[r.IntN(len(values))])
					}
				}
				if len(m.name) > 100 {
					records = append(records, "path="+m.name)
				}
				r.Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
				w.Flush()
				b.WriteString(pax(records...) + tarFile(member{m.name[:min(len(m.name), 100)], m.body}, nil))
				continue
			}
			h := &tar.Header{Name: m.name, Mode: 0o644, Size: int64(len(m.body)), ModTime: day,
				Format: []tar.Format{tar.FormatPAX, tar.FormatGNU}[r.IntN(2)]}
			if err := w.WriteHeader(h); err != nil {
				t.Fatal(err)
			}
			w.Write([]byte(m.body))
		}
		w.Close()
		got := readAll(t, b.String(), "", archive.Limits{})
		if !slices.Equal(got.entries, want) || len(got.notices) != len(damaged) || strings.Contains(got.codes(), "drop") {
			t.Fatalf("tar %d: %d of %d entries, %d damaged, notices %v", n, len(got.entries), len(want), len(damaged), got.notices)
		}
		for i, at := range got.times {
			if damaged[i] != at.IsZero() || !damaged[i] && !at.Equal(day) {
				t.Fatalf("tar %d, entry %d: time %v, damaged %v", n, i, at, damaged[i])
			}
		}
		if bsdtar == "" || n%10 != 0 {
			continue
		}
		file := filepath.Join(t.TempDir(), "t")
		os.WriteFile(file, b.Bytes(), 0o600)
		theirs, _ := exec.Command(bsdtar, "-xOf", file).Output()
		ours := ""
		for _, m := range got.entries {
			ours += m.body
		}
		if string(theirs) != ours {
			t.Errorf("tar %d: bsdtar gives %d bytes, we %d", n, len(theirs), len(ours))
		}
	}
}
