package filenames

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"
)

// Row is the line of a manifest about one file.
type Row struct {
	Key   string    `json:"key"`
	Path  string    `json:"path"` // below the folder of the manifest, with strokes
	What  string    `json:"what"` // "raw": as it came; "clean": clean N-Quads in gzip; a product
	URI   string    `json:"uri"`  // with !/entry in archives; without user and password unless [Name.Secrets] was set
	Time  time.Time `json:"retrieved"`
	Bytes int64     `json:"bytes"` // of the file
	// Hash is the MD5 of the raw bytes, or of the clean N-Quads before compression. Of other products it is the
	// SHA-256.
	Hash string `json:"md5"`
}

// Header is the beginning of a manifest: the version of the rule by which files are named, and the columns.
// It is before all others in the order of bytes.
const Header = versionLine + "\n#key\tpath\twhat\turi\tretrieved\tbytes\tmd5"

// versionLine is the first line of a manifest whose names [Parse] reads back.
const versionLine = "#!names 2"

// IsOfThisRule reports whether the names of a manifest follow the rule of [Name.Path]: an older one gave names that
// can't be read back.
func IsOfThisRule(manifest io.Reader) (bool, error) {
	line, err := bufio.NewReader(manifest).ReadString('\n')
	if err == io.EOF {
		err = nil
	}
	return strings.TrimSuffix(line, "\n") == versionLine, err
}

// columns is the number of columns.
const columns = 7

// String is the row as a line, without its end: columns with tabs between them. A
// backslash is \\, a tab \t, a line end \n or \r, any other control character \x and
// two hex digits.
func (r Row) String() string {
	at := ""
	if !r.Time.IsZero() {
		at = r.Time.UTC().Format(time.RFC3339)
	}
	cells := []string{r.Key, r.Path, r.What, r.URI, at, strconv.FormatInt(r.Bytes, 10), r.Hash}
	for i, cell := range cells {
		cells[i] = escaped(cell)
	}
	return strings.Join(cells, "\t")
}

func escaped(cell string) string {
	var b strings.Builder
	for i := 0; i < len(cell); i++ {
		switch c := cell[i]; {
		case c == '\\':
			b.WriteString(`\\`)
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c < ' ' || c == 0x7F:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

var errEscape = errors.New("a backslash that escapes nothing")

func unescaped(cell string) (string, error) {
	if !strings.Contains(cell, `\`) {
		return cell, nil
	}
	var b strings.Builder
	for i := 0; i < len(cell); i++ {
		if cell[i] != '\\' {
			b.WriteByte(cell[i])
			continue
		}
		if i++; i == len(cell) {
			return "", errEscape
		}
		switch cell[i] {
		case '\\':
			b.WriteByte('\\')
		case 't':
			b.WriteByte('\t')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 'x':
			if i+2 >= len(cell) {
				return "", errEscape
			}
			c, err := strconv.ParseUint(cell[i+1:i+3], 16, 8)
			if err != nil {
				return "", errEscape
			}
			b.WriteByte(byte(c))
			i += 2
		default:
			return "", errEscape
		}
	}
	return b.String(), nil
}

// ParseRow reads a line that String wrote.
func ParseRow(line string) (r Row, err error) {
	cells := strings.Split(line, "\t")
	if len(cells) != columns {
		return r, fmt.Errorf("%d columns, not %d", len(cells), columns)
	}
	for i := range cells {
		if cells[i], err = unescaped(cells[i]); err != nil {
			return r, err
		}
	}
	r = Row{Key: cells[0], Path: cells[1], What: cells[2], URI: cells[3], Hash: cells[6]}
	if cells[4] != "" {
		if r.Time, err = time.Parse(time.RFC3339, cells[4]); err != nil {
			return r, err
		}
	}
	r.Bytes, err = strconv.ParseInt(cells[5], 10, 64)
	return r, err
}

// maxLine is the longest line of a manifest, in bytes.
const maxLine = 1 << 20

// Rows are the rows of a manifest, one at a time. An error says in which line it is, and
// ends the rows; torn passes lines over that can't be read, as a crash leaves them.
func Rows(manifest io.Reader, torn bool) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		lines := bufio.NewReaderSize(manifest, 64<<10)
		for n := 1; ; n++ {
			line, err := lines.ReadString('\n')
			switch {
			case err == io.EOF && (line == "" || torn):
				return
			case err != nil && err != io.EOF:
				yield(Row{}, err)
				return
			case err == nil && len(line) > maxLine:
				err = errors.New("longer than any line of a manifest")
			case err == io.EOF:
				err = io.ErrUnexpectedEOF
			}
			line = strings.TrimSuffix(line, "\n")
			if err == nil && strings.HasPrefix(line, "#") {
				continue
			}
			var row Row
			if err == nil {
				row, err = ParseRow(line)
			}
			if err != nil && torn {
				continue
			}
			if err != nil {
				yield(row, fmt.Errorf("line %d: %w", n, err))
				return
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}
