package csvw

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"

	"laundromat/internal/fault"
	"laundromat/internal/linesort"
)

// keyCheck holds the keys of all tables: lines that are sorted outside of memory. A line is the number of the key, the
// hash of the values, whether it defines or refers, the place, and the values.
type keyCheck struct {
	sorter *linesort.Sorter
	keys   []keyInfo
}

// keyInfo is a key that is checked.
type keyInfo struct {
	table   *Table // whose rows are named in findings
	foreign bool
}

// keyUse is a key of a table, or one that refers to it.
type keyUse struct {
	check   *keyCheck
	id      int
	columns []int
	refers  bool
	line    []byte
}

const (
	defines = '0'
	refers  = '1'
)

func newKeyCheck(memory int64, temp string) *keyCheck {
	return &keyCheck{sorter: linesort.New(linesort.Options{Memory: memory, Temp: temp, Workers: 1})}
}

// add notes the values of a row.
func (k *keyUse) add(w *rowWriter, r *row) error {
	hash, first := sha256.New(), fault.Pos{}
	shown := []byte(nil)
	for n, i := range k.columns {
		c := &w.cells[i]
		if c.null && k.refers {
			w.c.notice(fault.Notice{Code: fault.CSVWForeignKey, Severity: fault.Note, Pos: r.pos, Field: w.columns[i].Name,
				Message: "the foreign key has no value, and refers to no row"})
			return nil
		}
		if c.null && k.check.keys[k.id].foreign {
			return nil
		}
		if i < len(r.places) && n == 0 {
			first = r.places[i]
		}
		for _, v := range c.values {
			fmt.Fprintf(hash, "%d:%s", len(v.lexical), v.lexical)
			if shown = append(shown, v.lexical...); len(shown) < 200 {
				shown = append(shown, ' ')
			}
		}
		fmt.Fprintf(hash, "|%t|", c.null)
	}
	shown = bytes.TrimSpace(shown[:min(len(shown), 200)])
	for i, b := range shown {
		if b < ' ' {
			shown[i] = ' '
		}
	}
	kind := byte(defines)
	if k.refers {
		kind = refers
	}
	k.line = fmt.Appendf(k.line[:0], "%06d %s %c %016d %d %d ", k.id, hex.EncodeToString(hash.Sum(nil)[:16]), kind, first.Offset,
		first.Line,
		first.Column)
	return k.check.sorter.Add(0, append(k.line, shown...))
}

// finish checks the keys, when all tables are read.
func (k *keyCheck) finish(ctx context.Context, notice func(*Table, fault.Notice)) error {
	group, defined := "", 0
	_, err := k.sorter.Write(ctx, func(int) string { return "" }, func(line []byte) error {
		parts := bytes.SplitN(bytes.TrimRight(line, "\n"), []byte(" "), 7)
		if len(parts) < 7 {
			return nil
		}
		if g := string(line[:39]); g != group {
			group, defined = g, 0
		}
		id, _ := strconv.Atoi(string(parts[0]))
		key := k.keys[id]
		number := func(i int) int64 { n, _ := strconv.ParseInt(string(parts[i]), 10, 64); return n }
		n := fault.Notice{Severity: fault.Warning, Pos: fault.Pos{Line: number(4), Column: number(5), Offset: number(3)},
			Excerpt: fault.Excerpt(parts[6])}
		switch {
		case parts[2][0] == defines:
			if defined++; defined > 1 && !key.foreign {
				n.Code, n.Message = fault.CSVWPrimaryKey, "another row has the same primary key"
				notice(key.table, n)
			}
		case defined == 0:
			n.Code, n.Message = fault.CSVWForeignKey, "no row of the table that the foreign key refers to has this value"
			notice(key.table, n)
		case defined > 1:
			n.Code, n.Message = fault.CSVWForeignKey,
				fmt.Sprintf("%d rows of the table that the foreign key refers to have this value", defined)
			notice(key.table, n)
		}
		return nil
	})
	return err
}
