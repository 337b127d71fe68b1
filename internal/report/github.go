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
			writeCommand(b, commandOf(n.Severity), d.Name, n.Pos, n.Code, textOf(n))
		}
		for _, f := range d.unshown() {
			writeCommand(b, commandOf(f.Severity), d.Name, fault.Pos{}, f.Code, unshownText(f))
		}
		if d.Error != nil {
			command := "error"
			if d.isNotRDF() && !r.nothingWasRDF() {
				command = "notice"
			}
			writeCommand(b, command, d.Name, fault.Pos{}, d.Error.Code, oneLine(d.Error.Message))
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

func writeCommand(b *bufio.Writer, command, name string, pos fault.Pos, code fault.Code, message string) {
	title := string(code)
	if info, known := fault.Explain(code); known {
		title = info.Title
	}
	fmt.Fprintf(b, "::%s file=%s", command, commandProperty.Replace(oneLine(name)))
	if pos.Line > 0 {
		fmt.Fprintf(b, ",line=%d,col=%d", pos.Line, pos.Column)
	}
	fmt.Fprintf(b, ",title=%s::%s\n", commandProperty.Replace(title), commandMessage.Replace(string(code)+": "+message))
}
