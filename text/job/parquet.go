//go:build !lean

package job

import (
	"encoding/json"
	"io"

	"github.com/parquet-go/parquet-go"

	"laundromat/text"
)

// row is an article in the columns of FineWeb, in their order. What is unknown is null.
type row struct {
	Text     string   `parquet:"text" json:"text"`
	ID       string   `parquet:"id" json:"id"`
	Dump     *string  `parquet:"dump,optional" json:"dump,omitempty"`
	URL      *string  `parquet:"url,optional" json:"url,omitempty"`
	Date     *string  `parquet:"date,optional" json:"date,omitempty"` // when the page was fetched
	FilePath string   `parquet:"file_path" json:"file_path"`
	Language *string  `parquet:"language,optional,dict" json:"language,omitempty"`
	Score    *float64 `parquet:"language_score,optional" json:"language_score,omitempty"`
	Tokens   *int64   `parquet:"token_count,optional" json:"token_count,omitempty"`
}

// groupBytes is how much text a group of rows has: the library holds it in memory.
const groupBytes = 24 << 20

// table writes rows as Parquet.
type table struct {
	writer *parquet.GenericWriter[row]
	bytes  int
}

func newTable(to io.Writer) (*table, error) {
	writer := parquet.NewGenericWriter[row](to, parquet.Compression(&parquet.Snappy), parquet.CreatedBy("laundromat", "", ""))
	return &table{writer: writer}, nil
}

// appendRow appends the row of an article, as the table reads it.
func appendRow(dst []byte, a *text.Article) []byte {
	r := row{Text: a.Text, ID: a.ID, URL: known(a.URL), Date: known(a.Added), FilePath: a.Source, Language: known(a.Language)}
	if len(a.Metadata.Languages) > 0 {
		r.Language, r.Score = &a.Metadata.Languages[0].Tag, &a.Metadata.Languages[0].Probability
	}
	if a.Tokens != nil {
		count := int64(len(a.Tokens))
		r.Tokens = &count
	}
	data, err := json.Marshal(&r)
	if err != nil {
		panic(err) // none of these can fail
	}
	return append(dst, data...)
}

// known is a value, or nil if it is empty.
func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func (t *table) row(data []byte) error {
	var r row
	if err := json.Unmarshal(data, &r); err != nil {
		return err
	}
	if _, err := t.writer.Write([]row{r}); err != nil {
		return err
	}
	if t.bytes += len(data); t.bytes < groupBytes {
		return nil
	}
	t.bytes = 0
	return t.writer.Flush()
}

func (t *table) close() error { return t.writer.Close() }

// Available says whether a format can be written.
func Available(string) error { return nil }
