package inputs

import (
	"io"
	"os"

	"laundromat/internal/fetch"
)

// Files are the regular files among the arguments, by their names; stdin is the input "-".
func Files(stdin io.Reader, args []string) map[string]os.FileInfo {
	files := map[string]os.FileInfo{}
	for _, arg := range args {
		if info, err := stat(stdin, arg); err == nil && info.Mode().IsRegular() {
			files[arg] = info
		}
	}
	return files
}

// stat is the file that an argument names; from is standard input.
func stat(from io.Reader, arg string) (os.FileInfo, error) {
	if held, ok := from.(*Interruptible); ok {
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
