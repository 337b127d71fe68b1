package archive_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zip"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"laundromat/archive"
	"laundromat/internal/fault"
)

// zipNamed is a zip of entries of these names, each with a small text. With extra, each has that.
func zipNamed(t testing.TB, flags uint16, extra []byte, names ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		f, err := w.CreateRaw(&zip.FileHeader{Name: name, Flags: flags, Extra: extra, CRC32: crc32.ChecksumIEEE([]byte("text")),
			CompressedSize64: 4, UncompressedSize64: 4})
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, "text")
	}
	w.Close()
	return b.String()
}

func unicodePath(name, text string) []byte {
	le := binary.LittleEndian
	field := le.AppendUint32([]byte{1}, crc32.ChecksumIEEE([]byte(name)))
	field = append(field, text...)
	return append(le.AppendUint16([]byte{0x75, 0x70}, uint16(len(field))), field...)
}

// shownNames are the names of entries as they are shown, and as they are.
func shownNames(t testing.TB, data string) (shown, names []string, notices []fault.Notice) {
	t.Helper()
	o, err := archive.Open(context.Background(), strings.NewReader(data), "", archive.Limits{},
		func(n fault.Notice) { notices = append(notices, n) })
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if err := o.Entries(context.Background(), func(e archive.Entry, r io.Reader) error {
		shown, names = append(shown, e.Shown()), append(names, e.Name)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return shown, names, notices
}

func encodedName(t testing.TB, e encoding.Encoding, text string) string {
	t.Helper()
	b, err := e.NewEncoder().String(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return b
}

func TestNamesInZipsAreShownAsPeopleReadThem(t *testing.T) {
	const utf8Flag = 1 << 11
	cafe := encodedName(t, charmap.CodePage437, "café.nt")
	russian := encodedName(t, charmap.CodePage866, "данные/отчёт.nt")
	japanese1 := encodedName(t, japanese.ShiftJIS, "表示データ/東京.nt") // whose first letter has a byte that is a backslash
	wrong := unicodePath("another", "ruse.nt")
	for _, c := range []struct {
		name, data string
		shown      []string
	}{
		{"ASCII", zipNamed(t, 0, nil, "a.nt", "b/c.nt"), []string{"a.nt", "b/c.nt"}},
		{"code page 437", zipNamed(t, 0, nil, cafe), []string{"café.nt"}},
		{"code page 437, German", zipNamed(t, 0, nil, encodedName(t, charmap.CodePage437, "Übersicht größe.nt"), "a.nt"),
			[]string{"Übersicht größe.nt", "a.nt"}},
		{"code page 850", zipNamed(t, 0, nil, encodedName(t, charmap.CodePage850, "Relatório da população.nt"),
			encodedName(t, charmap.CodePage850, "educação e saúde.nt")),
			[]string{"Relatório da população.nt", "educação e saúde.nt"}},
		{"code page 866", zipNamed(t, 0, nil, russian), []string{"данные/отчёт.nt"}},
		{"Shift_JIS", zipNamed(t, 0, nil, japanese1), []string{"表示データ/東京.nt"}},
		{"GBK", zipNamed(t, 0, nil, encodedName(t, simplifiedchinese.GBK, "新建文件夹/人口统计.nt")), []string{"新建文件夹/人口统计.nt"}},
		{"windows-1252", zipNamed(t, 0, nil, encodedName(t, charmap.Windows1252, "Größe der Städte.nt"),
			encodedName(t, charmap.Windows1252, "Übersicht für Bücher.nt")),
			[]string{"Größe der Städte.nt", "Übersicht für Bücher.nt"}},
		{"UTF-8 with the flag", zipNamed(t, utf8Flag, nil, "café.nt", "данные.nt"), []string{"café.nt", "данные.nt"}},
		{"UTF-8 without it", zipNamed(t, 0, nil, "café.nt", "данные.nt"), []string{"café.nt", "данные.nt"}},
		{"the flag, and no UTF-8", zipNamed(t, utf8Flag, nil, cafe), []string{"café.nt"}},
		{"a Unicode path", zipNamed(t, 0, unicodePath("caf_.nt", "café.nt"), "caf_.nt"), []string{"café.nt"}},
		{"a Unicode path beside a code page", zipNamed(t, 0, unicodePath(cafe, "Café ☕.nt"), cafe), []string{"Café ☕.nt"}},
		{"that of another name", zipNamed(t, 0, wrong, cafe), []string{"café.nt"}},
		{"that isn't UTF-8", zipNamed(t, 0, unicodePath("a.nt", "\xff\xfe"), "a.nt"), []string{"a.nt"}},
		{"cut", zipNamed(t, 0, []byte("\x75\x70\x03\x00\x01ab"), "a.nt"), []string{"a.nt"}},
		{"the same twice", zipNamed(t, 0, nil, cafe, cafe), []string{"café.nt", "café.nt (2)"}},
		{"with a line end", zipNamed(t, 0, nil, "a\n"+cafe), []string{`a\u000Acafé.nt`}},
	} {
		shown, names, notices := shownNames(t, c.data)
		if !slices.Equal(shown, c.shown) || len(notices) > 0 {
			t.Errorf("%s: %q, want %q; notices %v", c.name, shown, c.shown, notices)
		}
		// of which one name alone says little
		if data := c.data[:strings.Index(c.data, "PK\x01\x02")]; !strings.Contains(c.name, "1252") {
			cut, bytes, notices := shownNames(t, data)
			if !slices.Equal(cut, c.shown) || !slices.Equal(names, bytes) || len(notices) != 1 {
				t.Errorf("%s, without its directory: %q, want %q; notices %v", c.name, cut, c.shown, notices)
			}
		}
	}
	_, _, notices := shownNames(t, rawZipOf(t, 1, 0, member{russian, "text"}))
	if len(notices) != 1 || !strings.Contains(notices[0].Message, "отчёт") {
		t.Errorf("a message: %v", notices)
	}
}

// Zips have names as old programs write them, from words of several languages. The names
// are read correctly, and an entry is still addressed by its bytes.
func TestZipsOfManyCountriesShowTheirNames(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 13))
	countries := []struct {
		encoding encoding.Encoding
		words    string
	}{
		{charmap.CodePage437, "Übersicht Straße größe Prüfung Gemälde Bücher Schüler Gebäude résumé élève année été modèle"},
		{charmap.CodePage850, "Relatório Índice população educação análise saúde região ciência coração ações"},
		{charmap.CodePage866, "Отчёт данные Москва список таблица население города документы книга архив"},
		{japanese.ShiftJIS, "データ 東京 日本語 人口 統計 資料 一覧表 報告書 画像 学校"},
		{simplifiedchinese.GBK, "数据 北京 人口统计 新建文件夹 文档 中国 资料 列表 报告 学校"},
		{traditionalchinese.Big5, "資料 臺北 人口統計 新資料夾 說明 報告 學校 圖片"},
		{korean.EUCKR, "자료 서울 인구 통계 보고서 학교 새폴더 문서 목록"},
		{charmap.CodePage852, "Zażółć Łódź ludność książka Gdańsk świat źródło Wrocław"},
		{encoding.Nop, "Übersicht данные データ 数据 자료 Łódź ☕"},
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Log("without python3, what it reads is not compared")
	}
	wrong, total := 0, 0
	for n := range 200 {
		country := countries[n%len(countries)]
		words := strings.Fields(country.words)
		var names, want []string
		for i := range 2 + r.IntN(6) {
			text := fmt.Sprintf("%s/%s %s-%d.nt", words[r.IntN(len(words))], words[r.IntN(len(words))], words[r.IntN(len(words))], i)
			want = append(want, text)
			names = append(names, encodedName(t, country.encoding, text))
		}
		data := zipNamed(t, 0, nil, names...)
		shown, bytes, notices := shownNames(t, data)
		if !slices.Equal(bytes, names) || len(notices) > 0 {
			t.Fatalf("zip %d: bytes %q, want %q, notices %v", n, bytes, names, notices)
		}
		for i := range want {
			total++
			if shown[i] != want[i] {
				wrong++
				t.Logf("%s is shown as %s", want[i], shown[i])
			}
		}
		if python == "" || country.encoding != charmap.CodePage437 || n >= 45 {
			continue
		}
		file := filepath.Join(t.TempDir(), "z.zip")
		os.WriteFile(file, []byte(data), 0o600)
		out, err := exec.Command(python, "-c", "import sys,zipfile,json;json.dump(zipfile.ZipFile(sys.argv[1]).namelist(),sys.stdout)",
			file).Output()
		var theirs []string
		if err != nil || json.Unmarshal(out, &theirs) != nil || !slices.Equal(theirs, shown) {
			t.Errorf("zip %d: python reads %q (%v), we %q", n, theirs, err, shown)
		}
	}
	if wrong*50 > total {
		t.Errorf("%d of %d names are wrong", wrong, total)
	}
}
