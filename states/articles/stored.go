package articles

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// StoredForms are the formats in which stored articles are given.
func StoredForms() []string { return []string{"jsonl", "text"} }

// WriteStored writes the articles of a stored file. When its bytes were fetched is added to each; it is not in the
// file, so that the same bytes give the same.
func WriteStored(lines io.Reader, as string, fetched time.Time, to io.Writer) error {
	in, out := bufio.NewReaderSize(lines, 1<<16), bufio.NewWriter(to)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return out.Flush()
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if as == "text" {
			var article struct{ Text string }
			if err := json.Unmarshal(line, &article); err != nil {
				return fmt.Errorf("line %d is no article: %w", n, err)
			}
			if n > 1 {
				out.WriteString("\f\n")
			}
			out.WriteString(article.Text)
			out.WriteByte('\n')
			continue
		}
		writeAdded(out, line, fetched)
	}
}

// writeAdded writes an article with the member added, in the place that it has in the line of the command.
func writeAdded(out *bufio.Writer, line []byte, fetched time.Time) {
	// In a text these bytes can't be: its quotation marks have a backslash before them.
	at := bytes.Index(line, []byte(`,"text":`))
	if title := bytes.Index(line, []byte(`,"title":`)); title >= 0 && title < at {
		at = title
	}
	if tokens := bytes.Index(line, []byte(`,"title_tokens":`)); tokens >= 0 && tokens < at {
		at = tokens
	}
	if at < 0 || fetched.IsZero() {
		out.Write(line)
		return
	}
	out.Write(line[:at])
	out.WriteString(`,"added":"` + fetched.UTC().Format(time.RFC3339) + `"`)
	out.Write(line[at:])
}
