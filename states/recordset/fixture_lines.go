package recordset

import (
	"context"
	"errors"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/internal/linesort"
	"laundromat/records/job"
	"laundromat/records/lint"
	"laundromat/records/spec"
	"laundromat/records/statements"
	"laundromat/report"
	"laundromat/states"
	"laundromat/states/inputs"
)

// fixtureMemory bounds the sort of the statements of a fixture.
const fixtureMemory = 64 << 20

// LinesOf are the clean N-Quads that a spec makes of a fixture, sorted.
func LinesOf(ctx context.Context, s *spec.Spec, j *job.Job, f lint.Fixture) ([]string, error) {
	mapping, err := CompileStatements(s, j, statements.Options{})
	if err != nil || mapping == nil {
		return nil, err
	}
	held := &heldLines{}
	target := states.NewSorted(linesort.Options{Memory: fixtureMemory, Workers: 1}, func() (states.LineWriter, error) {
		return held, nil
	})
	defer target.Close()
	out := &Statements{Mapping: mapping, Keyed: j.Schema() != nil, Target: target, Findings: func(fault.Notice) {}}
	out.Finish = func() (digest.Statements, error) { return target.Finish(ctx) }
	var failed error
	run := New(Options{Job: j, Accessed: f.Accessed, Each: func(d *report.Document) {
		if d.Error != nil {
			failed = errors.New(d.Error.Message)
		}
	}})
	if err := run.Start(out); err != nil {
		return nil, err
	}
	if err := run.Read(ctx, []string{f.File}, &inputs.Opener{Base: f.URL}); err != nil {
		return nil, err
	}
	if err := errors.Join(failed, run.Finish(ctx)); err != nil {
		return nil, err
	}
	return held.lines, nil
}

// heldLines keeps lines.
type heldLines struct{ lines []string }

// Line keeps one.
func (h *heldLines) Line(line []byte) error {
	h.lines = append(h.lines, string(line))
	return nil
}

// Close does nothing: the lines are held.
func (h *heldLines) Close() error { return nil }

// Abort does nothing.
func (h *heldLines) Abort() {}
