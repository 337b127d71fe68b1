package search

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/gzip"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/rdf/statistics"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// document is what the index is to say of a seed.
type document struct {
	number  int64
	hash    string
	mark    string // what it is made of; "" if the index is to say nothing of it
	entries []entry
	left    int64 // labels that were too many
	isNew   bool  // the index has nothing of it yet
}

const (
	// mostOthers is how many entries of a document are no labels: those below, together.
	mostOthers = 1096
	// mostTerms is how many classes, and how many properties, are found of a document: those that it uses most.
	mostTerms   = 256
	mostColumns = 256
	mostTitles  = 256 // of articles
	// longestText is the length that a text of a record is cut at, in bytes.
	longestText = statistics.MaxLabel
	// mostRead is the largest clean file, in bytes as it is stored, that is read for its labels where no statistics
	// are stored beside it.
	mostRead = 16 << 20
	// mostProduct is how much of a product's file is read, in bytes.
	mostProduct = 4 << 20
)

// markOf says what the entries of a seed are made of: where it is the same, so are they.
func markOf(seed *seedlist.Seed) string {
	switch {
	case seed.Status == seedlist.Cleaned: // a file of its dirty seed
		return ""
	case seed.Title == "" && len(seed.Claims) == 0 && len(seed.Products) == 0 && seed.ServedClean() == "":
		return ""
	}
	h := xxhash.New()
	add := func(texts ...string) {
		for _, text := range texts {
			h.WriteString(text)
			h.Write([]byte{0})
		}
	}
	add(seed.Title, seed.ServedClean())
	for _, name := range slices.Sorted(maps.Keys(seed.Claims)) {
		add(name, seed.Claims[name])
	}
	for i := range seed.Products {
		p := &seed.Products[i]
		add(p.Name, p.SHA256, p.Schema, strconv.FormatUint(p.Fence, 10))
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

// documentOf reads what is found of a seed. A file that isn't there has no entries.
func (s *Search) documentOf(ctx context.Context, number int64, seed *seedlist.Seed, mark string) (d document, err error) {
	d = document{number: number, hash: seed.Hash, mark: mark}
	add := func(field Field, text string) {
		if text = strings.TrimSpace(text); text != "" && len(Words(text)) > 0 {
			d.entries = append(d.entries, entry{Field: field, Text: cut(text)})
		}
	}
	add(Title, seedlist.ShownIn(seed.Title))
	for _, name := range slices.Sorted(maps.Keys(seed.Claims)) {
		if field, ok := claims[name]; ok {
			add(field, seedlist.ShownIn(seed.Claims[name]))
		}
	}
	for _, of := range [...]func() ([]entry, error){
		func() ([]entry, error) { return s.articles(seed) },
		func() ([]entry, error) { return s.columns(seed) },
	} {
		more, err := of()
		if err = s.passOver(seed, err); err != nil {
			return d, err
		}
		d.entries = append(d.entries, more...)
	}
	if clean := seed.ServedClean(); clean != "" {
		terms, err := s.terms(ctx, clean)
		if err = s.passOver(seed, err); err != nil {
			return d, err
		}
		if terms != nil {
			d.terms(terms)
			d.labels(terms, s.opt.Labels.Most)
		}
	}
	return d, nil
}

// passOver tells of a file that can't be read, and goes on without it: what is damaged is found by a check of the
// store.
// Trouble of the machine is returned, since it ends.
func (s *Search) passOver(seed *seedlist.Seed, err error) error {
	switch {
	case err == nil || errors.Is(err, fs.ErrNotExist):
		return nil
	case fault.KindOf(err) == fault.Local || errors.Is(err, context.Canceled):
		return err
	}
	s.opt.Log(fmt.Errorf("a file of %s can't be searched: %w", seed.Hash, err))
	return nil
}

// claims are those in words: others are numbers, types and addresses.
var claims = map[string]Field{"publisher": Publisher, "dataset_title": Title, "description": Claim, "keywords": Claim}

func cut(text string) string {
	if len(text) <= longestText {
		return text
	}
	return strings.ToValidUTF8(text[:longestText], "")
}

// terms are the classes and properties that are used most.
func (d *document) terms(all *statistics.Terms) {
	d.entries = slices.Grow(d.entries, min(mostTerms, len(all.Classes))+min(mostTerms, len(all.Properties))+len(all.Labels))
	for _, iri := range all.Classes[:min(mostTerms, len(all.Classes))] {
		d.entries = append(d.entries, entry{Field: Class, Text: cut(iri)})
	}
	for _, iri := range all.Properties[:min(mostTerms, len(all.Properties))] {
		d.entries = append(d.entries, entry{Field: Property, Text: cut(iri)})
	}
}

func (d *document) labels(all *statistics.Terms, most int) {
	kept := min(most, len(all.Labels))
	for _, l := range all.Labels[:kept] {
		d.entries = append(d.entries, entry{Field: LabelOf, Property: l.Property, Text: l.Text, Line: l.Line})
	}
	d.left = all.LabelsLeft + int64(len(all.Labels)-kept)
}

// terms are what a clean file says: as it was told when the file was written, as it is stored beside it, or else
// counted; nil where the file is too large for that.
func (s *Search) terms(ctx context.Context, clean string) (*statistics.Terms, error) {
	if told := s.opt.Counts.Lately(seedfile.Searches, clean); told != nil && (told.Labels != nil || s.opt.Labels.Most == 0) {
		return told, nil
	}
	stored, err := seedfile.Statistics(s.files, clean)
	if err == nil && (stored.Labels != nil || s.opt.Labels.Most == 0) {
		return stored.Terms(), nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	file, err := s.files.Open(clean, files.Clean)
	if err != nil {
		return nil, err
	}
	size := file.Size()
	file.Close()
	if size > mostRead || ctx.Err() != nil {
		if stored == nil {
			return nil, ctx.Err()
		}
		return stored.Terms(), ctx.Err() // washed before labels were kept
	}
	counter := statistics.New()
	counter.KeepLabels(s.opt.Labels)
	counted, err := seedfile.CountStatistics(s.files, clean, counter)
	if err != nil {
		return nil, err
	}
	return counted.Terms(), nil
}

// articles are the titles of the articles of a document.
func (s *Search) articles(seed *seedlist.Seed) (all []entry, err error) {
	read, written := int64(0), int64(math.MaxInt64)
	if p := seed.Product(seedlist.ProductArticles); p != nil && p.Written != nil {
		written = *p.Written
	}
	err = s.lines(seed, seedlist.ProductArticles, func(line *bufio.Reader) bool {
		read++
		if title := strings.TrimSpace(titleOf(line)); title != "" {
			all = append(all, entry{Field: Article, Text: cut(title)})
		}
		return read < written && len(all) < mostTitles // the text of the last isn't unpacked
	})
	return all, err
}

// titleOf is the title of an article, "" if it has none. An article is a line of JSON in which what comes before the
// title is short, and the text after it is not looked at.
func titleOf(line *bufio.Reader) string {
	for _, size := range [...]int{articleHead / 16, articleHead} {
		head, _ := line.Peek(size)
		end := bytes.IndexByte(head, '\n')
		if end >= 0 {
			head = head[:end]
		}
		if title := titleIn(head); title != "" || end >= 0 {
			return title
		}
	}
	return ""
}

// titleIn is the title in the beginning of an article; "" if it isn't there.
func titleIn(head []byte) string {
	in := json.NewDecoder(bytes.NewReader(head))
	if begin, err := in.Token(); err != nil || begin != json.Delim('{') {
		return ""
	}
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return ""
		}
		var value json.RawMessage
		if err := in.Decode(&value); err != nil {
			return ""
		}
		if key != "title" {
			continue
		}
		var title string
		json.Unmarshal(value, &title) // one that is no text is none
		return title
	}
	return ""
}

// articleHead is how much of an article is looked at for its title: what comes before has the URL twice.
const articleHead = 64 << 10

// lines gives the lines of a product's file, each at its beginning, until one is refused.
func (s *Search) lines(seed *seedlist.Seed, product string, line func(*bufio.Reader) bool) error {
	named, err := seedfile.Find(seed, product, 0)
	if err != nil {
		return nil // there is none
	}
	file, err := s.files.Open(named.Key, named.Suffix)
	if err != nil {
		return err
	}
	defer file.Close()
	text, err := gzip.NewReader(bufio.NewReader(files.Sequential(file)))
	if err != nil {
		return err
	}
	in := bufio.NewReaderSize(io.LimitReader(text, mostProduct), articleHead)
	for {
		if _, err := in.Peek(1); err != nil {
			return nil // the end, or as much as is looked at
		}
		if !line(in) {
			return nil
		}
		for err = bufio.ErrBufferFull; err == bufio.ErrBufferFull; {
			_, err = in.ReadSlice('\n')
		}
	}
}

// columns are the names of the fields of a document's records, as their schema has them.
func (s *Search) columns(seed *seedlist.Seed) ([]entry, error) {
	named, err := seedfile.Find(seed, seedfile.Schema, 0)
	if err != nil {
		return nil, nil // there is none
	}
	file, err := s.files.Open(named.Key, named.Suffix)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var schema any
	if err := json.NewDecoder(io.LimitReader(files.Sequential(file), mostProduct)).Decode(&schema); err != nil {
		return nil, nil
	}
	var all []entry
	seen := map[string]bool{}
	eachField(schema, func(name string) {
		if name = strings.TrimSpace(name); name != "" && !seen[name] && len(all) < mostColumns {
			seen[name] = true
			all = append(all, entry{Field: Column, Text: cut(name)})
		}
	})
	return all, nil
}

// eachField names the fields of a Table Schema, and of the schemas in a package of tables.
func eachField(schema any, field func(string)) {
	switch of := schema.(type) {
	case []any:
		for _, one := range of {
			eachField(one, field)
		}
	case map[string]any:
		if fields, ok := of["fields"].([]any); ok {
			for _, one := range fields {
				if is, ok := one.(map[string]any); ok {
					name, _ := is["name"].(string)
					field(name)
				}
			}
			return
		}
		for _, key := range slices.Sorted(maps.Keys(of)) {
			eachField(of[key], field)
		}
	}
}
