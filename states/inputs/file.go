package inputs

import (
	"context"
	"io"
	"os"

	"laundromat/archive"
)

// OpenFile opens a file to be read. A named pipe that nobody writes to blocks whoever opens it, so
// that it ends with ctx. The opening then goes on in a goroutine that ends with the program.
func OpenFile(ctx context.Context, name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return os.Open(name)
	}
	type opened struct {
		file *os.File
		err  error
	}
	ended := make(chan opened, 1)
	go func() {
		file, err := os.Open(name)
		ended <- opened{file, err}
	}()
	select {
	case o := <-ended:
		return o.file, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// SourceOf makes a source of an open file, whose size is that of now. The file
// must stay open as long as the source is used.
func SourceOf(file *os.File) (archive.Source, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return io.NewSectionReader(file, 0, info.Size()), nil
}
