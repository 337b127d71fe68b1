package main

import (
	"context"
	"os"
)

// openFile opens a file to be read. A named pipe that nobody writes to blocks whoever opens it, so
// that it ends with ctx. The opening then goes on in a goroutine that ends with the program.
func openFile(ctx context.Context, name string) (*os.File, error) {
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
