package bucket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"syscall"
	"testing"

	"laundromat/internal/fault"
)

// A connection that breaks, or can't be opened, is the store's trouble, after which files are committed again. A file
// of this machine that can't be read is not.
func TestOnlyConnectionsAreTheStoresTrouble(t *testing.T) {
	b := &Bucket{at: Address{Bucket: "b", Endpoint: "http://store.example"}}
	put := func(err error) error { return &url.Error{Op: "Put", URL: "http://store.example/b/k", Err: err} }
	network := func(op, call string, errno error) error {
		return &net.OpError{Op: op, Net: "tcp", Err: os.NewSyscallError(call, errno)}
	}
	for name, row := range map[string]struct {
		err     error
		isStore bool
	}{
		"the pipe is broken":         {put(network("write", "write", syscall.EPIPE)), true},
		"reset":                      {put(network("read", "read", syscall.ECONNRESET)), true},
		"refused":                    {put(network("dial", "connect", syscall.ECONNREFUSED)), true},
		"no descriptor for a socket": {put(network("dial", "socket", syscall.EMFILE)), true},
		"not allowed to connect":     {put(network("dial", "connect", syscall.EACCES)), true},
		"the end":                    {put(io.ErrUnexpectedEOF), true},
		"slow":                       {put(context.DeadlineExceeded), true},
		"a file is damaged":          {put(&fs.PathError{Op: "read", Path: "x", Err: syscall.EIO}), false},
		"no descriptor for a file":   {fmt.Errorf("open: %w", syscall.EMFILE), false},
	} {
		err := b.trouble("bucket.Commit", row.err)
		if fault.KindOf(err) != fault.Local || (fault.CodeOf(err) == fault.LocalBucket) != row.isStore || !errors.Is(err, row.err) {
			t.Errorf("%s: kind %v, code %q", name, fault.KindOf(err), fault.CodeOf(err))
		}
	}
}
