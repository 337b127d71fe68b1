package archive_test

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zlib"

	"laundromat/archive"
)

func zlibOf(text string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

// xarFile is a xar from its table of contents and its heap.
func xarFile(table, heap string) string {
	packed := zlibOf(table)
	be := binary.BigEndian
	head := be.AppendUint16([]byte("xar!\x00\x1C"), 1)
	head = be.AppendUint64(head, uint64(len(packed)))
	head = be.AppendUint64(head, uint64(len(table)))
	return string(be.AppendUint32(head, 0)) + packed + heap
}

// xarEntry is the table's element for a file, and what it adds to the heap.
func xarEntry(at int, m member) (element, packed string) {
	packed = zlibOf(m.body)
	return fmt.Sprintf(
		`<file id="%d"><ea id="0"><name>n</name><offset>7</offset><size>1</size></ea><data><length>%d</length><offset>%d</offset><size>%d</size>`+
			`<encoding style="application/x-gzip"/><extracted-checksum style="sha1">%x</extracted-checksum></data><mtime>2014-10-19T12:30:00Z</mtime><type>file</type><name>%s</name></file>`,
		at, len(packed), at, len(m.body), sha1.Sum([]byte(m.body)), m.name), packed
}

func xarOf(members ...member) string {
	table, heap := "", ""
	for _, m := range members {
		element, packed := xarEntry(len(heap), m)
		table += element
		heap += packed
	}
	return xarFile("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<xar><toc>"+table+"</toc></xar>\n", heap)
}

func TestXarGivesItsEntries(t *testing.T) {
	for _, data := range []string{xarOf(two...), gz(t, xarOf(two...))} {
		got := readAll(t, data, "", archive.Limits{})
		if got.format != "xar" || !slices.Equal(got.entries, two) || got.codes() != "" || !got.times[0].Equal(day) ||
			got.sizes[0] != int64(len(two[0].body)) {
			t.Errorf("format %q, %d entries, notices %v, error %v", got.format, len(got.entries), got.notices, got.err)
		}
	}
}

func TestFilesOfAXarThatAreNoneAreTold(t *testing.T) {
	inside, packed := xarEntry(0, member{"a.nt", "x"})
	table := `<xar><toc><file id="9"><name>f</name><type>directory</type><file id="8"><name>g</name><type>directory</type>` + inside +
		`</file></file>` +
		`<file id="1"><name>l</name><type>symlink</type><link>/etc</link></file><file id="2"><name>h</name><type link="1">hardlink</type></file>` +
		`<file id="3"><name>p</name><type>fifo</type></file><file id="4"><name enctype="base64">5A==</name><type>file</type></file>` +
		`<file id="5"><name>odd</name><type>file</type><data><offset>0</offset><length>1</length><size>1</size><encoding style="application/odd"/></data></file>` +
		`<file id="6"><name>far</name><type>file</type><data><offset>99999</offset><length>1</length><size>1</size></data></file></toc></xar>`
	got := readAll(t, xarFile(table, packed), "", archive.Limits{})
	if !slices.Equal(got.entries, []member{{"f/g/a.nt", "x"}, {"\xE4", ""}}) ||
		got.codes() != "warning archive/link 0, warning archive/link 0, warning archive/device 0, drop archive/unsupported 1, drop archive/corrupt 1" {
		t.Errorf("%v, notices %v, error %v", got.entries, got.notices, got.err)
	}
}

func TestDamagedXarCostsOnlyItself(t *testing.T) {
	three := []member{{"a", lines(5000)}, {"b", lines(5000)}, {"c", lines(5000)}}
	whole := xarOf(three...)
	one := len(zlibOf(three[0].body))
	heap := len(whole) - 3*one
	element, packed := xarEntry(0, three[0])
	sum := fmt.Sprintf("%x", sha1.Sum([]byte(three[0].body)))
	wrong := xarFile("<xar><toc>"+strings.Replace(element, sum, strings.Repeat("0", len(sum)), 1)+"</toc></xar>", packed)
	for _, c := range []struct {
		name, data string
		entries    int
		codes      string
	}{
		{"body", whole[:heap+one+300] + strings.Repeat("\xFF", 200) + whole[heap+one+500:], 3, "drop archive/corrupt 1"},
		{"cut in the heap", whole[:heap+2*one+one/2], 3, "drop archive/truncated 1"},
		{"cut in the table", whole[:heap-20], 0, "drop archive/truncated 1, "},
		{"no table", whole[:40], 0, "drop archive/truncated 1"},
		{"table damaged", flip(whole, heap-40), 1, "drop archive/corrupt 1"},
		{"other data", wrong, 1, "warning archive/checksum 0"},
	} {
		got := readAll(t, c.data, "", archive.Limits{})
		if len(got.entries) < c.entries || c.entries > 0 && got.entries[0] != three[0] || !strings.HasPrefix(got.codes(), c.codes) ||
			got.err != nil {
			t.Errorf("%s: %d entries, notices %v, error %v", c.name, len(got.entries), got.notices, got.err)
		}
	}
}

// FuzzXar is for tables that no program would write, and heaps that are others.
func FuzzXar(f *testing.F) {
	element, packed := xarEntry(0, member{"a.nt", "x"})
	f.Add("<xar><toc>"+element+"</toc></xar>", packed)
	f.Add("<xar><file><file><file><name enctype='base64'>5A==</name><data><offset>-1</offset></data>", "")
	f.Fuzz(func(t *testing.T, table, heap string) {
		if len(table) < 1<<14 {
			holdLaws(t, []byte(xarFile(table, heap)), "")
		}
	})
}
