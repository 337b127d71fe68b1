package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"laundromat/internal/fault"
	"laundromat/text"
	"laundromat/text/article"
	"laundromat/text/content"
)

// gold is a line of gold.jsonl.
type gold struct {
	ID      string `json:"id"`
	URL     string `json:"url"`
	Type    string `json:"type"`
	Content string `json:"main_content"`
}

type page struct {
	gold    gold
	fold    int // of the five that are measured
	text    string
	blocks  []text.Block
	table   *content.Table
	labels  []int32
	words   []int32 // of each block
	targets []int32 // what is learnt of each block
	unit    int32   // how many words weigh as much as a page
	want    map[string]int
}

// folds is how many there are.
const folds = 5

type silent struct{}

func (silent) Notice(fault.Notice) {}

func unpack(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// read reads all pages.
func read(folder, cache string) (pages []*page, err error) {
	lines, err := unpack(filepath.Join(folder, "gold.jsonl.gz"))
	if err != nil {
		return nil, err
	}
	labels := map[string][]int32{}
	if raw, err := os.ReadFile(cache); err == nil {
		if err := gob.NewDecoder(bytes.NewReader(raw)).Decode(&labels); err != nil {
			return nil, err
		}
	}
	known := len(labels)
	scanner := bufio.NewScanner(bytes.NewReader(lines))
	scanner.Buffer(nil, 16<<20)
	for scanner.Scan() {
		p := &page{}
		if err := json.Unmarshal(scanner.Bytes(), &p.gold); err != nil {
			return nil, err
		}
		source, err := unpack(filepath.Join(folder, "html", p.gold.ID+".html.gz"))
		if err != nil {
			return nil, err
		}
		p.fold = foldOf(p.gold.URL)
		if err := p.read(source); err != nil {
			return nil, err
		}
		pages = append(pages, p)
		if p.labels = labels[p.gold.ID]; len(p.labels) != len(p.blocks) {
			p.labels = align(p.text, p.blocks, p.gold.Content)
			labels[p.gold.ID] = p.labels
		}
	}
	if cache != "" && len(labels) != known {
		var b bytes.Buffer
		if err := gob.NewEncoder(&b).Encode(labels); err != nil {
			return nil, err
		}
		if err := os.WriteFile(cache, b.Bytes(), 0o666); err != nil {
			return nil, err
		}
	}
	return pages, scanner.Err()
}

// read makes blocks and features of a page's source.
func (p *page) read(source []byte) error {
	source = []byte(strings.ToValidUTF8(string(source), "\uFFFD"))
	var judged *content.Page
	a, err := article.FromPage(context.Background(), source, article.Options{URL: p.gold.URL,
		Judge: func(p *content.Page) content.Verdict {
			judged = p
			return content.Verdict{}
		}}, silent{})
	if err != nil {
		return fmt.Errorf("%s: %w", p.gold.ID, err)
	}
	p.want = map[string]int{}
	countWords(p.want, p.gold.Content)
	if a == nil {
		p.table = content.Read(&content.Page{})
		return nil
	}
	p.text, p.blocks = a.Text, judged.Blocks
	p.table = content.Read(judged)
	for _, b := range p.blocks {
		p.words = append(p.words, int32(len(wordsOf(a.Text[b.Start:b.End]))))
	}
	return nil
}

// foldOf is the fold of all pages of a domain.
func foldOf(address string) int {
	u, err := url.Parse(address)
	if err != nil {
		return 0
	}
	labels := strings.Split(strings.TrimPrefix(u.Hostname(), "www."), ".")
	name := strings.Join(labels[max(0, len(labels)-2):], ".")
	if n := len(labels); n > 2 && len(labels[n-2]) <= 3 {
		name = strings.Join(labels[n-3:], ".")
	}
	h := fnv.New32a()
	h.Write([]byte(name))
	return int(h.Sum32() % folds)
}

// ceiling is F of the blocks of which most words are main content.
func (p *page) ceiling() float64 {
	have := map[string]int{}
	for i, b := range p.blocks {
		if p.labels[i] >= 500 {
			countWords(have, p.text[b.Start:b.End])
		}
	}
	return wordF(have, p.want)
}

type result struct {
	f, confidence float64
	kind          string
	special       [2]int
}

// apply measures what a model chooses of a page.
func (p *page) apply(m *content.Model, o plan) (r result) {
	if p.table.Rows == 0 {
		r.f = wordF(nil, p.want)
		return r
	}
	scores, kinds := m.Scores(p.table)
	best := 0
	for k := range kinds {
		if kinds[k] > kinds[best] {
			best = k
		}
	}
	r.kind = content.Kinds[best]
	from, expected := p.table.Choose(scores)
	if o.isFixed {
		from = 500
	}
	have := map[string]int{}
	for i, b := range p.blocks {
		isSpecial := b.Kind == text.ListItem || b.Kind == text.TableCell || b.Kind == text.Code
		if isSpecial && p.labels[i] >= 500 {
			r.special[0] += int(p.words[i])
		}
		if scores[i] >= from {
			countWords(have, p.text[b.Start:b.End])
			if isSpecial && p.labels[i] >= 500 {
				r.special[1] += int(p.words[i])
			}
		}
	}
	r.f, r.confidence = wordF(have, p.want), float64(expected)/1000
	return r
}
