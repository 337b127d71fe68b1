package recordset

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"

	"laundromat/internal/fault"
	"laundromat/internal/outfile"
	"laundromat/records"
	"laundromat/records/dump"
	"laundromat/records/reconcile"
)

// Merged is an Output that merges the records that are the same, and writes them to another when all are read.
type Merged struct {
	Engine *reconcile.Engine
	To     Output
	// PairsPath is the file of the pairs that were found, JudgePath that of a person's answers, ModelPath that to which
	// what was learned is written; empty for none.
	PairsPath, JudgePath, ModelPath string
	// Single says that there is one input. If it is a merged table, it is taken apart and merged anew.
	Single bool
	// Told is called with what was found, and how many records were written.
	Told func(result *reconcile.Result, written int64)
	// Notices takes findings about the inputs as a whole.
	Notices func(fault.Notice)
	// Failed says that an input could not be read to its end, so that nothing is to be written; nil if nobody knows.
	Failed func() bool

	ctx     context.Context
	answers []answerLine
	apart   *reconcile.Unmerger
}

// Begin begins the output. The answers of a person are read.
func (m *Merged) Begin(ctx context.Context) ([]reconcile.Answer, error) {
	m.ctx = ctx
	if m.Single {
		m.apart = &reconcile.Unmerger{To: func(r *records.Record) error { return m.Engine.Add(r) }, Parse: dump.ReadJSON}
	}
	if m.JudgePath == "" {
		return nil, nil
	}
	return m.readAnswers()
}

// Record takes a record.
func (m *Merged) Record(r *records.Record) error {
	if m.apart != nil {
		// It waits for its turn, so that it is kept.
		return m.apart.Record(r)
	}
	return m.Engine.Add(r)
}

// Header makes columns of the fields of a table.
func (m *Merged) Header(h *records.Header) {
	if to, ok := m.To.(records.HeaderSink); ok {
		to.Header(h)
	}
}

// Notice passes a finding on.
func (m *Merged) Notice(n fault.Notice) { m.To.Notice(n) }

// Abort gives up.
func (m *Merged) Abort() {
	m.Engine.Close()
	if to, ok := m.To.(interface{ Abort() }); ok {
		to.Abort()
	}
}

// errInput says that nothing was merged since an input is not whole.
var errInput = errors.New("nothing is written, since an input could not be read to its end: its records would stay unmerged")

// Close merges the records, and completes all files. The records get their name before the pairs and questions do.
func (m *Merged) Close() error {
	defer m.Engine.Close()
	if m.Failed != nil && m.Failed() {
		return errInput
	}
	if m.apart != nil {
		if err := m.apart.Close(); err != nil {
			return err
		}
		if m.apart.Unmerged > 0 {
			m.Engine.SetInputs(m.apart.Inputs)
		}
	}
	result, err := m.Engine.Run(m.ctx)
	if err != nil {
		return err
	}
	m.tell(result)
	var files []outfile.Whole
	defer func() {
		for _, f := range files {
			f.Abort()
		}
	}()
	begin := func(path string, write func(w io.Writer) error) error {
		if path == "" {
			return nil
		}
		file, err := outfile.CreateOrOpen(path)
		if err != nil {
			return err
		}
		files = append(files, file)
		out := bufio.NewWriterSize(file, 1<<16)
		return errors.Join(write(out), out.Flush())
	}
	if err := begin(m.PairsPath, m.writePairs); err != nil {
		return err
	}
	if err := begin(m.JudgePath, m.writeAnswers); err != nil {
		return err
	}
	if model := m.Engine.Model(); model != nil {
		if err := begin(m.ModelPath, model.Write); err != nil {
			return err
		}
	}
	written, err := m.Engine.Write(m.ctx, m.To)
	if err != nil {
		return err
	}
	if err := m.To.Close(); err != nil {
		return err
	}
	for _, f := range files {
		if err := f.Close(); err != nil {
			return err
		}
	}
	files = nil
	if m.Told != nil {
		m.Told(result, written)
	}
	return nil
}

// tell tells of what is doubtful.
func (m *Merged) tell(result *reconcile.Result) {
	one := func(code fault.Code, severity fault.Severity, format string, args ...any) {
		m.Notices(fault.Notice{Code: code, Severity: severity, Message: fmt.Sprintf(format, args...)})
	}
	if result.NoMatches {
		one(fault.ReconcileNoMatches, fault.Warning, "nothing shows that any two records are the same; none are merged")
	}
	if result.Doubled {
		one(fault.ReconcileDoubles, fault.Warning,
			"most records find another partner that is as like when their own is hidden: merge each input by itself before, with mode: clusters")
	}
	if result.Cut > 0 && result.Lonely > 0 {
		one(fault.ReconcileKeys, fault.Note,
			"%d words or sequences of characters that too many records have are passed over; %d records have fewer than 3 candidates",
			result.Cut, result.Lonely)
	}
	if result.Oversize > 0 {
		one(fault.ReconcileLarge, fault.Warning, "groups of more than 2,000 records that hang together: %d; only their candidates were compared",
			result.Oversize)
	}
}

// appendPair writes a pair as a line of JSON, without its end.
func appendPair(line []byte, p *reconcile.Pair) []byte {
	line = records.AppendJSONText(append(line, `{"a":`...), p.A)
	line = records.AppendJSONText(append(line, `,"b":`...), p.B)
	if p.In[0] != "" {
		line = records.AppendJSONText(append(line, `,"in":[`...), p.In[0])
		line = append(records.AppendJSONText(append(line, ','), p.In[1]), ']')
	}
	line = strconv.AppendFloat(append(line, `,"score":`...), math.Round(p.Score*1e4)/1e4, 'f', -1, 64)
	line = append(line, `,"fields":[`...)
	for i, f := range p.Fields {
		if i > 0 {
			line = append(line, ',')
		}
		line = records.AppendJSONText(line, f)
	}
	return records.AppendJSONText(append(line, `],"reason":`...), p.Reason)
}

func (m *Merged) writePairs(w io.Writer) error {
	var line []byte
	return m.Engine.Pairs(func(p reconcile.Pair) error {
		line = append(appendPair(line[:0], &p), '}', '\n')
		_, err := w.Write(line)
		return err
	})
}

// answerLine is a line of a file of answers.
type answerLine struct {
	text []byte
	reconcile.Answer
}

// readAnswers reads the answers of a person: lines of {"a": ID, "b": ID, "same": true or false}. Questions that are not
// answered have null.
func (m *Merged) readAnswers() (answers []reconcile.Answer, err error) {
	text, err := os.ReadFile(m.JudgePath)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		v, err := dump.ReadJSON(line)
		a, _ := v.Get("a")
		b, _ := v.Get("b")
		same, _ := v.Get("same")
		switch {
		case err != nil || v.Kind != records.Object || a.Text == "" || b.Text == "":
			return nil, fmt.Errorf("%s:%d: a line of answers is {\"a\": ID, \"b\": ID, \"same\": true, false or null}", m.JudgePath, number)
		case same.Kind == records.Null:
			continue
		case same.Kind != records.Bool:
			return nil, fmt.Errorf("%s:%d: \"same\" is true, false or null, not %s", m.JudgePath, number, same.Kind)
		}
		one := answerLine{append([]byte(nil), line...), reconcile.Answer{A: a.Text, B: b.Text, Same: same.Text == "true"}}
		if in, is := v.Get("in"); is && len(in.Items) == 2 {
			one.In = [2]string{in.Items[0].Text, in.Items[1].Text}
		}
		m.answers = append(m.answers, one)
		answers = append(answers, one.Answer)
	}
	return answers, nil
}

// writeAnswers writes the answers as they were, then the questions.
func (m *Merged) writeAnswers(w io.Writer) error {
	for _, a := range m.answers {
		if _, err := w.Write(append(a.text, '\n')); err != nil {
			return err
		}
	}
	questions, err := m.Engine.Questions()
	if err != nil {
		return err
	}
	var line []byte
	for i := range questions {
		line = append(appendPair(line[:0], &questions[i]), `,"same":null}`...)
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}
