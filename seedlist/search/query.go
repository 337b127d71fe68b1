package search

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// query is what is looked for: all words and the beginning, and of texts in quotation marks all words in their
// order.
type query struct {
	words   []string
	phrases [][]string
	prefix  string // "" for none
}

// leastPrefix is how many letters a beginning must have: a shorter one is found nearly everywhere.
const leastPrefix = 4

// mostWords is how many words one search may have.
const mostWords = 32

// A QueryError says why a search can't be made as it was asked for.
type QueryError struct{ Why string }

func (e *QueryError) Error() string { return e.Why }

// parse reads what a person typed.
func parse(text string) (q query, err error) {
	for i, part := range strings.Split(text, `"`) {
		if i%2 == 1 {
			if words := Words(part); len(words) > 0 {
				q.phrases, q.words = append(q.phrases, words), append(q.words, words...)
			}
			continue
		}
		for field := range strings.FieldsSeq(part) {
			begin, isPrefix := strings.CutSuffix(field, "*")
			words := Words(begin)
			if len(words) == 0 {
				continue
			}
			if isPrefix {
				last := words[len(words)-1]
				switch {
				case q.prefix != "":
					return q, &QueryError{"a search has one beginning with * at most"}
				case utf8.RuneCountInString(last) < leastPrefix:
					return q, &QueryError{fmt.Sprintf("a beginning with * has at least %d letters", leastPrefix)}
				}
				q.prefix, words = last, words[:len(words)-1]
			}
			q.words = append(q.words, words...)
		}
	}
	slices.Sort(q.words)
	q.words = slices.Compact(q.words)
	switch {
	case len(q.words) == 0 && q.prefix == "":
		return q, &QueryError{"there is no word in it"}
	case len(q.words) > mostWords:
		return q, &QueryError{fmt.Sprintf("a search has at most %d words", mostWords)}
	}
	return q, nil
}

// match is the query as FTS5 takes it. Words are letters and digits, so that nothing in them has to be quoted.
func (q *query) match() string {
	var b strings.Builder
	for i, word := range q.words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(`"` + word + `"`)
	}
	if q.prefix != "" {
		b.WriteString(` "` + q.prefix + `" *`)
	}
	return b.String()
}

// isIn says that an entry has all words. It may have been written anew since its row was read.
func (q *query) isIn(words []string) bool {
	for _, word := range q.words {
		if !slices.Contains(words, word) {
			return false
		}
	}
	return q.prefix == "" || slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, q.prefix) })
}

// proves says that the words of a text hold the phrases.
func (q *query) proves(words []string) bool {
	for _, phrase := range q.phrases {
		if !holds(words, phrase) {
			return false
		}
	}
	return true
}

func holds(words, phrase []string) bool {
	for i := 0; i+len(phrase) <= len(words); i++ {
		if slices.Equal(words[i:i+len(phrase)], phrase) {
			return true
		}
	}
	return false
}
