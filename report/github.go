package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"laundromat/internal/fault"
)

// WriteGitHub writes the samples as workflow commands of GitHub Actions, which shows them as
// annotations of the lines of a change.
func WriteGitHub(w io.Writer, r *Report) error {
	b := bufio.NewWriter(w)
	for i := range r.Documents {
		d := &r.Documents[i]
		for j := range d.Samples {
			n := &d.Samples[j].Notice
			writeCommand(b, command{commandOf(n.Severity), d.Name, n.Pos, n.Code, textOf(n)})
		}
		for _, f := range d.unshown(d.samplesByFinding()) {
			writeCommand(b, command{commandOf(f.Severity), d.Name, fault.Pos{}, f.Code, unshownText(f)})
		}
		if d.Error != nil {
			name := "error"
			if d.isNotRDF() && !r.nothingWasRDF() {
				name = "notice"
			}
			writeCommand(b, command{name, d.Name, fault.Pos{}, d.Error.Code, oneLine(d.Error.Message)})
		}
	}
	return b.Flush()
}

func commandOf(s fault.Severity) string {
	switch s {
	case fault.Note:
		return "notice"
	case fault.Drop:
		return "error"
	}
	return "warning"
}

// What would end a value of a command, or the command, is percent-encoded.
var (
	commandMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// command is a workflow command that annotates a file.
type command struct {
	name    string // error, warning or notice
	file    string
	pos     fault.Pos // without a line if it is of the whole file
	code    fault.Code
	message string
}

func writeCommand(b *bufio.Writer, c command) {
	title := string(c.code)
	if info, known := fault.Explain(c.code); known {
		title = info.Title
	}
	fmt.Fprintf(b, "::%s file=%s", c.name, commandProperty.Replace(oneLine(c.file)))
	if c.pos.Line > 0 {
		fmt.Fprintf(b, ",line=%d,col=%d", c.pos.Line, c.pos.Column)
	}
	fmt.Fprintf(b, ",title=%s::%s\n", commandProperty.Replace(title), commandMessage.Replace(string(c.code)+": "+c.message))
}
