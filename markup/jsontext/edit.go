package jsontext

import (
	"bytes"
	"fmt"
	"strings"

	"laundromat/internal/fault"
)

// Edits makes edits of a stretch of a document, which begins at an offset of it. Nothing is made of the zero text at a
// negative offset: that is what stands for edits that are not asked for.
type Edits struct {
	Text []byte
	At   int64
	All  []fault.Edit
}

// Replace writes another text in the place of the stretch.
func (e *Edits) Replace(with string) []fault.Edit {
	if e.At >= 0 {
		e.change(0, len(e.Text), with)
	}
	return e.All
}

func (e *Edits) change(from, to int, with string) {
	e.All = append(e.All, fault.Edit{From: e.At + int64(from), To: e.At + int64(to), With: with})
}

// Quote puts the string, which is in apostrophes or in no marks, in quotation marks. Other marks are not changed, since
// the rest of the document may have them too.
func (e *Edits) Quote() []fault.Edit {
	n := len(e.Text)
	switch {
	case n > 1 && e.Text[0] == '\'' && e.Text[n-1] == '\'':
		e.change(0, 1, `"`)
		for i := 1; i < n-1; i++ {
			switch e.Text[i] {
			case '"':
				e.change(i, i, `\`)
			case '\\':
				i++
			}
		}
		e.change(n-1, n, `"`)
	case n > 0 && !bytes.ContainsAny(e.Text, "\\\"'“”„«»‘’"):
		e.change(0, 0, `"`)
		e.change(n, n, `"`)
	}
	return e.All
}

// EscapeControls writes the control characters in the string as escapes.
func (e *Edits) EscapeControls() []fault.Edit {
	for i, b := range e.Text {
		if b >= ' ' {
			continue
		}
		with := fmt.Sprintf(`\u%04X`, b)
		if n := strings.IndexByte("\b\f\n\r\t", b); n >= 0 {
			with = `\` + "bfnrt"[n:n+1]
		}
		e.change(i, i+1, with)
	}
	return e.All
}

// FreeApostrophes takes the backslashes before the apostrophes in the string away.
func (e *Edits) FreeApostrophes() []fault.Edit {
	for i := 0; i+1 < len(e.Text); i++ {
		if e.Text[i] == '\\' {
			if e.Text[i+1] == '\'' {
				e.change(i, i+1, "")
			}
			i++
		}
	}
	return e.All
}

// DropLastComma takes the comma away that the stretch ends with, but for white space.
func (e *Edits) DropLastComma() []fault.Edit {
	if n := len(bytes.TrimRight(e.Text, " \t\r\n")); n > 0 && e.Text[n-1] == ',' {
		e.change(n-1, n, "")
	}
	return e.All
}
