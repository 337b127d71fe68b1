// Command exports measures what is made of many clean files: unique merges them, parquet makes a table of them.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"laundromat/bench/process"
	"laundromat/internal/testkit/corpus"
)

type options struct {
	*process.Setup
	statements string
	files      int
	memory     string
}

func main() {
	var o options
	flag.StringVar(&o.statements, "n", "10000000,100000000", "statements in all files together, one run for each number")
	flag.IntVar(&o.files, "files", 10, "clean files")
	flag.StringVar(&o.memory, "memory", "512M", "--memory of unique")
	process.Main("exports", 1, func(ctx context.Context, s *process.Setup) error {
		o.Setup = s
		fmt.Println(process.Machine())
		fmt.Printf("%-32s %11s %9s %13s %15s %6s %12s %9s\n", "command", "lines", "seconds", "processor s", "lines/s a core", "busy",
			"RssAnon MiB", "MB")
		if len(s.Args) > 0 {
			return o.measure(ctx, s.Args)
		}
		for word := range strings.SplitSeq(o.statements, ",") {
			n, err := strconv.Atoi(word)
			if err != nil || n < 1 || o.files < 1 {
				return fmt.Errorf("-n, -files: %q statements in %d files are no input", word, o.files)
			}
			if err := o.made(ctx, n); err != nil {
				return err
			}
		}
		return nil
	})
}

// made measures clean files that it makes itself. A tenth of what a file holds is in the next one too.
func (o *options) made(ctx context.Context, n int) error {
	washed := filepath.Join(o.Folder, "washed")
	if err := os.Mkdir(washed, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(washed)
	for i := range o.files {
		if err := o.makeFile(ctx, filepath.Join(washed, fmt.Sprint(i, ".nq.gz")), i, n/o.files); err != nil {
			return err
		}
	}
	return o.measure(ctx, []string{washed})
}

// makeFile washes n statements into one clean file.
func (o *options) makeFile(ctx context.Context, name string, number, n int) error {
	dirty := filepath.Join(o.Folder, "dirty.nt")
	file, err := os.Create(dirty)
	if err != nil {
		return err
	}
	defer os.Remove(dirty)
	defer file.Close()
	for family, part := range map[int]int{number: n - n/10, number + 1: n / 10} {
		c := corpus.Corpus{Format: corpus.NTriples, Family: family, Statements: part, Named: true}
		if err := c.Write(file); err != nil {
			return err
		}
	}
	said, err := exec.CommandContext(ctx, o.Program, "wash", "-q", "--level", "1", "-o", name, dirty).CombinedOutput()
	if err != nil {
		return fmt.Errorf("wash: %w\n%s", err, said)
	}
	return nil
}

// measure measures clean files, or folders of them.
func (o *options) measure(ctx context.Context, inputs []string) error {
	lines, err := lines(inputs)
	if err != nil {
		return err
	}
	for _, job := range []struct {
		args []string
		ext  string
	}{
		{[]string{"unique", "--level", "1", "--memory", o.memory}, ".nq.gz"},
		{[]string{"unique", "--level", "6", "--memory", o.memory}, ".nq.gz"},
		{[]string{"parquet"}, ".parquet"},
	} {
		for range o.Runs {
			if err := o.run(ctx, job.args, job.ext, inputs, lines); err != nil {
				return err
			}
		}
	}
	return nil
}

// run runs one command once.
func (o *options) run(ctx context.Context, args []string, ext string, inputs []string, lines int) error {
	output := filepath.Join(o.Folder, "output"+ext)
	defer os.Remove(output)
	name := strings.Join(args, " ")
	args = append(append(args, "-o", output), inputs...)
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	command := exec.CommandContext(ctx, o.Program, args...)
	var said bytes.Buffer
	command.Stderr = &said
	usage, err := process.Run(command)
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, said.Bytes())
	}
	info, err := os.Stat(output)
	if err != nil {
		return err
	}
	taken := (usage.User + usage.System).Seconds()
	fmt.Printf("%-32s %11d %9.1f %13.1f %15.0f %4.0f %% %12.0f %9.0f\n", name, lines, usage.Wall.Seconds(), taken,
		float64(lines)/taken, 100*usage.Busy(), float64(usage.PeakAnonymous)/(1<<20), float64(info.Size())/1e6)
	return nil
}

// lines counts those of all inputs.
func lines(inputs []string) (n int, err error) {
	for _, input := range inputs {
		err := filepath.WalkDir(input, func(path string, e os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".nq.gz") {
				return err
			}
			more, err := linesOf(path)
			n += more
			return err
		})
		if err != nil {
			return 0, err
		}
	}
	return n, nil
}

// linesOf counts those of a file.
func linesOf(path string) (n int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		return 0, err
	}
	for buffer := make([]byte, 1<<20); ; {
		got, err := text.Read(buffer)
		n += bytes.Count(buffer[:got], []byte("\n"))
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, fmt.Errorf("%s: %w", path, err)
		}
	}
}
