package manual

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// roff is text in the macros of man(7). What is passed as text is that already, unless it is said to be plain.
type roff struct{ strings.Builder }

func (r *roff) macro(name string, args ...string) {
	r.WriteString("." + name)
	for _, arg := range args {
		r.WriteString(` "` + strings.ReplaceAll(roffText(arg), `"`, `\(dq`) + `"`)
	}
	r.WriteByte('\n')
}

func (r *roff) section(name string) { r.macro("SH", name) }

func (r *roff) text(line string) { r.WriteString(line + "\n") }

// item is a term with its plain explanation.
func (r *roff) item(term, plain string) {
	r.text(".TP")
	r.text(term)
	r.text(roffText(plain))
}

// prose writes plain paragraphs. Lines that begin with spaces stay as they are.
func (r *roff) prose(plain string) {
	isTable := false
	for line := range strings.Lines(plain) {
		line = strings.TrimSuffix(line, "\n")
		indented := strings.HasPrefix(line, "  ")
		if indented != isTable && line != "" {
			isTable = indented
			r.text(map[bool]string{true: ".nf", false: ".fi"}[isTable])
		}
		if line == "" {
			r.text(".PP")
		} else {
			r.text(roffText(line))
		}
	}
	if isTable {
		r.text(".fi")
	}
}

// flags writes a section on flags, as --help shows them.
func (r *roff) flags(title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	r.section(title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		term := `\fB\-\-` + roffText(f.Name) + `\fR`
		if f.Shorthand != "" {
			term = `\fB\-` + f.Shorthand + `\fR, ` + term
		}
		value, usage := pflag.UnquoteUsage(f)
		if value != "" {
			term += ` \fI` + roffText(value) + `\fR`
		}
		if _, isSet := map[string]bool{"": true, "0": true, "false": true, "[]": true, "0s": true}[f.DefValue]; !isSet {
			usage += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		r.item(term, usage)
	})
}

// roffText writes plain text so that no sign of it is a command.
func roffText(plain string) string {
	var b strings.Builder
	for i, c := range plain {
		switch {
		case c == '\\':
			b.WriteString(`\e`)
		case c == '-':
			b.WriteString(`\-`)
		case i == 0 && (c == '.' || c == '\''):
			b.WriteString(`\&` + string(c))
		case c >= 0x80:
			fmt.Fprintf(&b, `\[u%04X]`, c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}
