package reconcile

import (
	"cmp"
	"math"
	"strings"
)

// The likenesses of the whole records. Those of fields follow.
const (
	cosWords = iota
	cosGrams
	cosWordsSquare
	cosGramsSquare
	cosLarger
	contained
	sharedCode
	codeConflict
	codePrefix
	numbersShared
	numbersDiffer
	lackedByA
	lackedByB
	wholeFeatures
)

// perField are the likenesses of a field: likeness, missing, and its words anywhere in the other record.
const (
	fieldLikeness = iota
	fieldMissing
	fieldAnywhereLess
	fieldAnywhereMore
	perField
)

// width is how many likenesses two records have.
func (e *Engine) width() int { return wholeFeatures + perField*len(e.columns) }

// dot is the cosine of two vectors of terms that are sorted by hash.
func dot(a, b []term) float64 {
	var sum float64
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch x, y := a[i].hash, b[j].hash; {
		case x < y:
			i++
		case x > y:
			j++
		default:
			sum += float64(a[i].weight) * float64(b[j].weight)
			i++
			j++
		}
	}
	return sum
}

// features fills x with the likenesses of two records; q is of one value for each field.
func (e *Engine) features(x []float64, q []float64, a, b *view) {
	clear(x)
	words, grams := dot(a.words, b.words), dot(a.grams, b.grams)
	x[cosWords], x[cosGrams] = words, grams
	x[cosWordsSquare], x[cosGramsSquare], x[cosLarger] = words*words, grams*grams, max(words, grams)
	e.wholeFeatures(x, a, b)
	e.alikeFields(q, a, b)
	if e.opt.lacks(codeFeatures) {
		x[sharedCode], x[codeConflict], x[codePrefix] = 0, 0, 0
	}
	if e.opt.lacks(fieldFeatures) {
		return
	}
	for i := range e.columns {
		f := x[wholeFeatures+perField*i:]
		u, v := &a.fields[i], &b.fields[i]
		if q[i] < 0 {
			f[fieldMissing] = 1
		} else {
			f[fieldLikeness] = q[i]
		}
		if k := e.columns[i].kind; k != Name && k != Code || e.opt.lacks(elsewhere) {
			continue
		}
		var found []float64
		if len(u.words) > 0 {
			found = append(found, anywhere(u.words, b.words))
		}
		if len(v.words) > 0 {
			found = append(found, anywhere(v.words, a.words))
		}
		switch len(found) {
		case 1:
			f[fieldAnywhereLess], f[fieldAnywhereMore] = found[0], found[0]
		case 2:
			f[fieldAnywhereLess], f[fieldAnywhereMore] = min(found[0], found[1]), max(found[0], found[1])
		}
	}
}

// anywhere is the share of the information in the words of a field that is anywhere in another record.
func anywhere(field, record []term) float64 {
	var total, common float64
	for i := range field {
		w := float64(field[i].idf)
		total += w
		if holds(record, field[i].hash) {
			common += w
		}
	}
	if total == 0 {
		return 0
	}
	return common / total
}

// holds says that a hash is among sorted terms.
func holds(sorted []term, h uint64) bool {
	low, high := 0, len(sorted)
	for low < high {
		if m := (low + high) / 2; sorted[m].hash < h {
			low = m + 1
		} else {
			high = m
		}
	}
	return low < len(sorted) && sorted[low].hash == h
}

// eachWord calls do with each word of two records: with that of one, of the other, or of both.
func eachWord(a, b []term, do func(s, t *term)) {
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case j == len(b) || i < len(a) && a[i].hash < b[j].hash:
			do(&a[i], nil)
			i++
		case i == len(a) || a[i].hash > b[j].hash:
			do(nil, &b[j])
			j++
		default:
			do(&a[i], &b[j])
			i++
			j++
		}
	}
}

func (t *term) isCode() bool { return t != nil && t.kind == code && len(t.text) >= 4 }

// wholeFeatures are those of the words, codes and numbers of two records.
func (e *Engine) wholeFeatures(x []float64, a, b *view) {
	var common, numbers, numbersTotal, conflicting float64
	var rarest float32
	hasCode := [2]bool{}
	eachWord(a.words, b.words, func(s, t *term) {
		one := cmp.Or(s, t)
		w := float64(one.idf)
		both := s != nil && t != nil
		hasCode[0] = hasCode[0] || s.isCode()
		hasCode[1] = hasCode[1] || t.isCode()
		if both {
			common += w
			if s.kind == code || t.kind == code || s.kind == number && len(s.text) >= 4 {
				rarest = max(rarest, one.idf)
			}
		}
		if one.kind != number {
			return
		}
		numbersTotal += w
		if both {
			numbers += w
		} else {
			conflicting += w
		}
	})
	logN := math.Log(float64(max(e.table.compared, 3)))
	if less := min(a.total, b.total); less > 0 {
		x[contained] = common / less
	}
	x[sharedCode] = float64(rarest) / logN
	if hasCode[0] && hasCode[1] && float64(rarest) < .5*logN {
		x[codeConflict] = 1
	}
	x[codePrefix] = longestPrefix(a.words, b.words)
	if numbersTotal > 0 {
		x[numbersShared] = numbers / numbersTotal
		x[numbersDiffer] = conflicting / numbersTotal
	}
	if a.total > 0 {
		x[lackedByB] = 1 - common/a.total
	}
	if b.total > 0 {
		x[lackedByA] = 1 - common/b.total
	}
}

// longestPrefix is how long the longest code is that another begins with, of ten characters.
func longestPrefix(a, b []term) float64 {
	longest := 0
	for i := range a {
		if a[i].kind != code || len(a[i].text) < 4 {
			continue
		}
		for j := range b {
			if b[j].kind != code || len(b[j].text) < 4 || a[i].hash == b[j].hash {
				continue
			}
			s, t := a[i].text, b[j].text
			if strings.HasPrefix(s, t) || strings.HasPrefix(t, s) {
				longest = max(longest, min(len(s), len(t)))
			}
		}
	}
	return float64(min(longest, 10)) / 10
}
