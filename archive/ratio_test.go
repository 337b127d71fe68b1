package archive_test

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zip"

	"laundromat/archive"
	"laundromat/internal/fault"
)

// bomb is an entry of which more comes than may, whatever it is packed in.
var bomb = member{"bomb", strings.Repeat("\x00", 66<<20)}

// survivors reads an archive, and returns the names of entries that came whole.
func survivors(t testing.TB, data string, limits archive.Limits, callback func(error) error) (names string, notices []fault.Notice,
	err error) {
	t.Helper()
	o, err := archive.Open(context.Background(), strings.NewReader(data), "", limits, func(n fault.Notice) { notices = append(notices, n) })
	if err != nil {
		return "", notices, err
	}
	defer o.Close()
	err = o.Entries(context.Background(), func(e archive.Entry, r io.Reader) error {
		n, err := io.Copy(io.Discard, r)
		if err == nil && n > 0 {
			names += e.Name + " "
		}
		return callback(err)
	})
	return names, notices, err
}

func TestAnEntryThatReachesTheRatioCostsItself(t *testing.T) {
	a, z := member{"a", lines(3000)}, member{"z", lines(3000)}
	limits := archive.Limits{Ratio: 100} // and never less than 64 MiB
	archives := map[string]string{
		"zip":                   zipOf(t, zip.Deflate, a, bomb, z),
		"zip, two of them":      zipOf(t, zip.Deflate, a, bomb, z, bomb, z),
		"zip, first and last":   zipOf(t, zip.Deflate, bomb, a, z, bomb),
		"zip without directory": zipOf(t, zip.Deflate, a, bomb, z, member{"lost", lines(200)}),
		"xar":                   xarOf(a, bomb, z),
		"zip in a gzip":         gz(t, zipOf(t, zip.Deflate, a, bomb, z)),
	}
	archives["zip without directory"] = archives["zip without directory"][:strings.Index(archives["zip without directory"], "PK\x01\x02")]
	if _, err := exec.LookPath("7z"); err == nil {
		dir := t.TempDir()
		for _, m := range []member{a, bomb, z} {
			os.WriteFile(filepath.Join(dir, m.name), []byte(m.body), 0o600)
		}
		for i, options := range []string{"-ms=on", "-ms=off", "-m0=PPMd"} {
			file := filepath.Join(dir, fmt.Sprint("out", i))
			args := append([]string{"a", "-bd", "-mx1"}, strings.Fields(options)...)
			if out, err := exec.Command("7z", append(args, file+".x", filepath.Join(dir, "a"), filepath.Join(dir, "bomb"),
				filepath.Join(dir, "z"))...).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			data, _ := os.ReadFile(file + ".x")
			archives["7z "+options] = string(data)
		}
	} else {
		t.Log("without 7z, its archives are not tried")
	}
	for name, data := range archives {
		for _, callback := range []func(error) error{
			func(err error) error { return err },
			func(error) error { return nil },
		} {
			if callback(io.EOF) == nil && name != "zip" {
				continue
			}
			got, notices, err := survivors(t, data, limits, callback)
			want := "a z "
			if name == "zip, two of them" {
				want = "a z z "
			}
			if name == "zip without directory" {
				want = "a z lost "
			}
			told := 0
			for _, n := range notices {
				if n.Code == fault.LimitArchiveRatio && n.Severity == fault.Drop && n.Lost == 1 &&
					strings.Contains(n.Message, "entry bomb") {
					told++
				}
			}
			bombs := 1
			if strings.HasPrefix(name, "zip, ") {
				bombs = 2
			}
			if got != want || err != nil || told != bombs {
				t.Errorf("%s: %q came, error %v, notices %v", name, got, err, notices)
			}
		}
	}
	// A callback that stops for another reason is heard.
	stop := errors.New("stop")
	if _, _, err := survivors(t, archives["zip"], limits, func(err error) error {
		if err != nil {
			return stop
		}
		return nil
	}); err != stop {
		t.Errorf("error %v", err)
	}
}

// However many such entries there are, and wherever: what is unpacked for nothing is bounded.
func TestManyEntriesThatReachTheRatioEndTheArchive(t *testing.T) {
	one := zipOf(t, zip.Deflate, bomb)
	record := one[strings.Index(one, "PK\x01\x02"):strings.Index(one, "PK\x05\x06")]
	tail := []byte(one[strings.Index(one, "PK\x05\x06"):])
	size := len(record) * 100
	tail[12], tail[13], tail[14], tail[15] = byte(size), byte(size>>8), byte(size>>16), byte(size>>24)
	many := one[:strings.Index(one, "PK\x01\x02")] + strings.Repeat(record, 100) + string(tail)
	_, notices, err := survivors(t, many, archive.Limits{Ratio: 100}, func(err error) error { return err })
	if fault.CodeOf(err) != fault.LimitArchiveRatio || len(notices) > 20 {
		t.Errorf("error %v after %d notices", err, len(notices))
	}
}

func TestSoundEntriesAreReadBesideABomb(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 99))
	packed := packedZipOf(t, zip.Deflate, 0, bomb, deflated(bomb.body))
	raw := packed[:strings.Index(packed, "PK\x01\x02")] // a local header and what is packed
	n := 4
	for range n {
		var members []member
		want := ""
		for i := range 1 + r.IntN(8) {
			m := member{fmt.Sprint("m", i), lines(1 + r.IntN(4000))}
			members = append(members, m)
			want += m.name + " "
		}
		at := r.IntN(len(members) + 1)
		rest := rawZipOf(t, 0, zip.Store, members[at:]...)
		data := rawZipOf(t, 0, zip.Store, members[:at]...)
		data = data[:max(strings.Index(data, "PK\x01\x02"), 0)] + raw + rest[:max(strings.Index(rest, "PK\x01\x02"), 0)]
		got, _, err := survivors(t, data, archive.Limits{Ratio: 100}, func(err error) error { return err })
		if got != want || err != nil {
			t.Fatalf("%q came, want %q, error %v", got, want, err)
		}
	}
}

func deflated(text string) string {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestSpeed)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}
