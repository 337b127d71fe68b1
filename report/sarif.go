package report

import (
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"laundromat/internal/fault"
)

// WriteSARIF writes the samples as SARIF 2.1.0 (OASIS), the form that code scanning
// takes. A document that ended in an error is a result of its error's code. Places
// are lines and columns of the decoded text, in Unicode characters. What the samples
// leave out is a notification of the run.
func WriteSARIF(w io.Writer, r *Report) error {
	log := sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
	}
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "laundromat", Rules: []sarifRule{}}
	rules := map[fault.Code]int{}
	rule := func(code fault.Code) int {
		i, known := rules[code]
		if !known {
			i = len(run.Tool.Driver.Rules)
			rules[code] = i
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(code))
		}
		return i
	}
	successful := true
	var told []sarifNotification
	for i := range r.Documents {
		d := &r.Documents[i]
		for j := range d.Samples {
			n := &d.Samples[j].Notice
			run.Results = append(run.Results, sarifResult{
				RuleID: n.Code, RuleIndex: rule(n.Code), Level: sarifLevel(n.Severity),
				Message:   sarifText{textOf(n)},
				Locations: sarifLocations(d.Name, n.Pos, n.Excerpt),
			})
		}
		for _, f := range d.unshown(d.samplesByFinding()) {
			told = append(told, sarifNotification{
				Level: "note", Message: sarifText{string(f.Code) + ": " + unshownText(f)},
				Locations: sarifLocations(d.Name, fault.Pos{}, ""),
			})
		}
		if d.Error != nil {
			level := "error"
			if d.isNotRDF() && !r.nothingWasRDF() {
				level = "note"
			} else {
				successful = false
			}
			run.Results = append(run.Results, sarifResult{
				RuleID: d.Error.Code, RuleIndex: rule(d.Error.Code), Level: level,
				Message:   sarifText{oneLine(d.Error.Message)},
				Locations: sarifLocations(d.Name, fault.Pos{}, ""),
			})
		}
	}
	run.Invocations = []sarifInvocation{{Successful: successful, Told: told}}
	log.Runs = []sarifRun{run}
	return writeIndented(w, log)
}

func sarifRuleOf(code fault.Code) sarifRule {
	info, known := fault.Explain(code)
	if !known {
		info = fault.Info{Code: code, Title: string(code)}
	}
	rule := sarifRule{ID: code, Short: sarifText{info.Title}}
	if info.Explain != "" {
		rule.Full = &sarifText{info.Explain}
		rule.Help = &sarifText{info.Explain + "\n\n" + info.Mend}
	}
	rule.Default.Level = "error"
	if info.Severity != 0 {
		rule.Default.Level = sarifLevel(info.Severity)
	}
	return rule
}

func sarifLevel(s fault.Severity) string {
	switch s {
	case fault.Note:
		return "note"
	case fault.Drop:
		return "error"
	}
	return "warning"
}

func sarifLocations(name string, pos fault.Pos, excerpt string) []sarifLocation {
	var l sarifLocation
	l.Physical.Artifact.URI = uriOf(name)
	if pos.Line > 0 {
		l.Physical.Region = &sarifRegion{StartLine: pos.Line, StartColumn: pos.Column}
		if excerpt != "" {
			l.Physical.Region.Snippet = &sarifText{excerpt}
		}
	}
	return []sarifLocation{l}
}

// uriOf turns the name of a document into a URI reference: a URL stays, a path is
// percent-encoded.
func uriOf(name string) string {
	if name == "-" {
		return "stdin"
	}
	if i := strings.Index(name, "://"); i > 0 {
		if u, err := url.Parse(name); err == nil {
			return u.String()
		}
	}
	return (&url.URL{Path: filepath.ToSlash(strings.ToValidUTF8(name, "�"))}).String()
}

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	ColumnKind  string            `json:"columnKind"`
	Results     []sarifResult     `json:"results"`
}

type sarifDriver struct {
	Name  string      `json:"name"`
	Rules []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID      fault.Code `json:"id"`
	Short   sarifText  `json:"shortDescription"`
	Full    *sarifText `json:"fullDescription,omitempty"`
	Help    *sarifText `json:"help,omitempty"`
	Default struct {
		Level string `json:"level"`
	} `json:"defaultConfiguration"`
}

type sarifInvocation struct {
	Successful bool                `json:"executionSuccessful"`
	Told       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
}

type sarifResult struct {
	RuleID    fault.Code      `json:"ruleId"`
	RuleIndex int             `json:"ruleIndex"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifLocation struct {
	Physical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"`
	} `json:"physicalLocation"`
}

type sarifRegion struct {
	StartLine   int64      `json:"startLine"`
	StartColumn int64      `json:"startColumn,omitempty"`
	Snippet     *sarifText `json:"snippet,omitempty"`
}
