package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"laundromat/seedlist"
)

// A daemon takes the seed list before it listens, and may have much to do between: what
// was at work is given back, temporary files are swept. Until it listens a file tells that
// it will, so that the other verbs wait for it rather than call the list locked.

// startingFile holds the pid of a daemon that starts.
const startingFile = "starting"

// mostStarting is how long a daemon that starts is waited for.
const mostStarting = time.Minute

// announce tells the other verbs that this process is about to serve dir; what it returns
// ends that. What is left by a process that was killed does no harm: nobody asks for it
// unless the list is held.
func announce(dir string) (end func()) {
	path, own := filepath.Join(dir, startingFile), strconv.Itoa(os.Getpid())
	if os.MkdirAll(dir, 0o700) != nil || os.WriteFile(path, []byte(own+"\n"), 0o600) != nil {
		return func() {} // what is wrong there is told by who needs it
	}
	return func() {
		if text, err := os.ReadFile(path); err == nil && strings.TrimSpace(string(text)) == own {
			os.Remove(path)
		}
	}
}

// reach returns a client of the daemon that serves dir, or, if there is none, the folder
// itself, as open opens it. A daemon that starts is waited for.
func reach(ctx context.Context, dir string, open func(dir string) (*house, error)) (*client, *house, error) {
	if c := dialDaemon(ctx, dir); c != nil {
		return c, nil, nil
	}
	for start := time.Now(); ; {
		_, err := os.Stat(filepath.Join(dir, startingFile))
		starting := err == nil
		house, err := open(dir) // waits half a second for who holds it
		if !errors.As(err, new(*seedlist.LockedError)) {
			return nil, house, err
		}
		if c := dialDaemon(ctx, dir); c != nil {
			return c, nil, nil
		}
		if !starting || ctx.Err() != nil || time.Since(start) > mostStarting {
			return nil, nil, err
		}
	}
}
