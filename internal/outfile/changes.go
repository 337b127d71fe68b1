package outfile

import (
	"path/filepath"

	"laundromat/internal/files"
)

// ChangedLines writes changes as lines with a mark before them.
type ChangedLines struct {
	to    Lines
	marks Marks
	begun bool
	line  []byte
}

// Marks are what changes are written with.
type Marks struct {
	Removed, Added string // before each line
	Begin, End     string // lines around them, if there are any changes; "" for none
}

// NewChangedLines writes changes with the marks.
func NewChangedLines(to Lines, marks Marks) *ChangedLines {
	return &ChangedLines{to: to, marks: marks}
}

func (c *ChangedLines) write(mark string, line []byte) error {
	if !c.begun && c.marks.Begin != "" {
		if err := c.to.Line([]byte(c.marks.Begin)); err != nil {
			return err
		}
	}
	c.begun = true
	c.line = append(append(c.line[:0], mark...), line...)
	return c.to.Line(c.line)
}

// Removed writes a statement that is there no more.
func (c *ChangedLines) Removed(line []byte) error { return c.write(c.marks.Removed, line) }

// Added writes a statement that is new.
func (c *ChangedLines) Added(line []byte) error { return c.write(c.marks.Added, line) }

// Renamed writes nothing: the statements are the same.
func (c *ChangedLines) Renamed(_, _ []byte) error { return nil }

// Close completes the output.
func (c *ChangedLines) Close() error {
	if c.begun && c.marks.End != "" {
		if err := c.to.Line([]byte(c.marks.End)); err != nil {
			return err
		}
	}
	return c.to.Close()
}

// Abort removes the output, unless it was closed.
func (c *ChangedLines) Abort() { c.to.Abort() }

// ChangeFiles writes changes into three files of a folder, which take their names when
// all are whole: removed.nq.gz, added.nq.gz and renamed.tsv.gz.
type ChangeFiles struct {
	removed, added, renamed Lines
	line                    []byte
}

// NewChangeFiles begins the files of the folder.
func NewChangeFiles(folder string, options Options) (*ChangeFiles, error) {
	c := &ChangeFiles{}
	for _, file := range []struct {
		to   *Lines
		name string
	}{{&c.removed, "removed.nq.gz"}, {&c.added, "added.nq.gz"}, {&c.renamed, "renamed.tsv.gz"}} {
		writer, err := options.Create(filepath.Join(folder, file.name))
		if err != nil {
			c.Abort()
			return nil, err
		}
		*file.to = writer
	}
	return c, nil
}

// Removed writes a statement that is there no more.
func (c *ChangeFiles) Removed(line []byte) error { return c.removed.Line(line) }

// Added writes a statement that is new.
func (c *ChangeFiles) Added(line []byte) error { return c.added.Line(line) }

// Renamed writes the two names of a blank node.
func (c *ChangeFiles) Renamed(before, after []byte) error {
	c.line = files.AppendRenamed(c.line[:0], before, after)
	return c.renamed.Line(c.line)
}

func (c *ChangeFiles) each(do func(Lines) error) (err error) {
	for _, writer := range [...]Lines{c.renamed, c.removed, c.added} {
		if writer != nil && err == nil {
			err = do(writer)
		}
	}
	return err
}

// Close completes the files.
func (c *ChangeFiles) Close() error { return c.each(Lines.Close) }

// Abort removes the files, unless they were closed.
func (c *ChangeFiles) Abort() {
	c.each(func(w Lines) error {
		w.Abort()
		return nil
	})
}
