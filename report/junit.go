package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"laundromat/internal/fault"
)

// WriteJUnit writes the report in the XML that build servers take for test results. Each document
// is a suite, and each code that was found in it a case. What dropped statements is a failure; all
// else passes, and is written in the output.
func WriteJUnit(w io.Writer, r *Report) error {
	suites := junitSuites{Name: "laundromat", Time: fmt.Sprintf("%.3f", r.Walltime)}
	for i := range r.Documents {
		suite := junitSuiteOf(r, &r.Documents[i])
		suites.Tests += suite.Tests
		suites.Failures += suite.Failures
		suites.Errors += suite.Errors
		suites.Suites = append(suites.Suites, suite)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(suites); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func junitSuiteOf(r *Report, d *Document) junitSuite {
	suite := junitSuite{Name: d.Name}
	read := junitCase{Class: d.Name, Name: "read"}
	switch {
	case d.Error == nil:
		s := d.Statements
		read.Output = fmt.Sprintf("%d statements read, %d kept, %d repaired, %d dropped", s.Read, s.Kept, s.Repaired, s.Dropped)
		if len(d.Sources) > 0 {
			read.Output += "; " + d.Sources.String()
		}
	case d.isNotRDF() && !r.nothingWasRDF():
		read.Skipped = &junitOutcome{Message: d.Error.Message}
	default:
		read.Error = &junitOutcome{Message: d.Error.Message, Type: string(d.Error.Code)}
		suite.Errors++
	}
	suite.Cases = append(suite.Cases, read)
	told := map[fault.Code]bool{}
	for _, f := range d.Findings {
		if told[f.Code] {
			continue
		}
		told[f.Code] = true
		c := junitCase{Class: d.Name, Name: string(f.Code)}
		var samples strings.Builder
		dropped := false
		for _, other := range d.Findings {
			dropped = dropped || other.Code == f.Code && other.Severity == fault.Drop
		}
		for j := range d.Samples {
			if n := &d.Samples[j].Notice; n.Code == f.Code {
				fmt.Fprintf(&samples, "%s: %s: %s\n", placeOf(d.Name, n.Pos), n.Severity, textOf(n))
			}
		}
		if more := d.Notices[f.Code] - int64(strings.Count(samples.String(), "\n")); more > 0 {
			fmt.Fprintf(&samples, "and %d more\n", more)
		}
		if dropped {
			title := string(f.Code)
			if info, known := fault.Explain(f.Code); known {
				title = info.Title
			}
			c.Failure = &junitOutcome{Message: title, Type: string(f.Code), Text: samples.String()}
			suite.Failures++
		} else {
			c.Output = samples.String()
		}
		suite.Cases = append(suite.Cases, c)
	}
	suite.Tests = len(suite.Cases)
	return suite
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     string       `xml:"time,attr"` // seconds
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitOutcome `xml:"failure"`
	Error   *junitOutcome `xml:"error"`
	Skipped *junitOutcome `xml:"skipped"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitOutcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}
