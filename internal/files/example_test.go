package files_test

import (
	"context"
	"fmt"
	"os"

	"laundromat/internal/files"
)

func Example() {
	dir, err := os.MkdirTemp("", "example-*")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	store, err := files.Open(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()

	clean, err := store.Create()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer clean.Abort()
	index, err := store.Create()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer index.Abort()

	w := files.NewCleanWriter(clean, files.CleanOptions{Index: index})
	defer w.Abort()
	w.Line([]byte("<http://a.example/s> <http://a.example/p> <http://a.example/o> ."))
	if err := w.Close(); err != nil { // reports the errors of Line too
		fmt.Println(err)
		return
	}
	hash := w.Content().MD5
	if err := clean.Seal(hash, files.Clean); err != nil {
		fmt.Println(err)
		return
	}
	if err := index.Seal(hash, files.Index); err != nil {
		fmt.Println(err)
		return
	}
	if err := store.Commit(context.Background(), clean, index); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(hash, *w.Content().NumberOfLines)
	// Output:
	// 58bc551cac485265982dacd7a0d51edb 1
}
