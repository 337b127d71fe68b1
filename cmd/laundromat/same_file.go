package main

import (
	"io"
	"os"

	"laundromat/internal/fetch"
	"laundromat/internal/outfile"
)

// refuseSameFile refuses to write what is read, by whatever name: another spelling, a link or a hard link.
func (o *washOptions) refuseSameFile(stdin io.Reader, args []string) error {
	inputs := map[string]os.FileInfo{}
	for _, arg := range args {
		if info, err := statInput(stdin, arg); err == nil && info.Mode().IsRegular() {
			inputs[arg] = info
		}
	}
	outputs := []struct{ flag, file string }{{"-o", o.output}, {"--report", o.report}, {"--repairs", o.repairs}}
	if o.split.IsSet() {
		for _, part := range outfile.NewParts(o.output, o.split, outfile.Options{}).Existing() {
			outputs = append(outputs, struct{ flag, file string }{"-o", part})
		}
	}
	for _, output := range outputs {
		written, err := os.Stat(output.file)
		if err != nil {
			continue
		}
		for _, arg := range args {
			if info := inputs[arg]; info != nil && os.SameFile(info, written) {
				return usage("%s is read, and %s %s is the same file: write to another, or wash it with --in-place, which keeps the old one",
					arg, output.flag, output.file)
			}
		}
	}
	return nil
}

// statInput is the file that an argument names; from is standard input.
func statInput(from io.Reader, arg string) (os.FileInfo, error) {
	if held, ok := from.(*stdin); ok {
		from = held.from
	}
	switch file, isFile := from.(*os.File); {
	case arg == "-" && isFile:
		return file.Stat()
	case fetch.IsFile(arg):
		name, err := fetch.FilePath(arg)
		if err != nil {
			return nil, err
		}
		return os.Stat(name)
	}
	return os.Stat(arg)
}

// inputFiles are the files among the arguments.
func (r *washRun) inputFiles(args []string) (all []os.FileInfo) {
	for _, arg := range args {
		if info, err := statInput(r.ui.in, arg); err == nil && info.Mode().IsRegular() {
			all = append(all, info)
		}
	}
	return all
}
