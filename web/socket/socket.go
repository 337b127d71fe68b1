// Package socket is how the verbs of one user find the daemon that serves a folder.
//
// The daemon calls [Announce] when it starts and [Listen] when it is ready; others call [Dial].
// A [Pipe] is for who finds no daemon, and serves itself.
package socket

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// File, in the folder that is served, holds the path of the daemon's unix socket.
const File = "socket"

// comingFile is File before the socket is there.
const comingFile = "socket.new"

// Dialer opens a connection to one place, whatever the network and address.
type Dialer func(ctx context.Context, network, address string) (net.Conn, error)

// Dial returns a dialer of the daemon that serves dir; nil if there is none.
func Dial(ctx context.Context, dir string) Dialer {
	path, err := os.ReadFile(filepath.Join(dir, File))
	if err != nil {
		return nil
	}
	socket := strings.TrimSpace(string(path))
	var dialer net.Dialer
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		short, release, err := shorten(socket)
		if err != nil {
			return nil, err
		}
		defer release()
		return dialer.DialContext(ctx, "unix", short)
	}
	probe, err := dial(ctx, "", "")
	if err != nil {
		return nil // left behind by a daemon that is gone
	}
	probe.Close()
	return dial
}

// RemoveStale removes the socket of a daemon that was killed. Whoever holds the
// store knows that it is gone.
func RemoveStale(dir string) {
	for _, name := range []string{File, comingFile} {
		path, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		socket := strings.TrimSpace(string(path))
		folder := filepath.Dir(socket)
		if filepath.Base(socket) == socketName && strings.HasPrefix(filepath.Base(folder), socketFolder) {
			os.Remove(socket)
			os.Remove(folder)
		}
		os.Remove(filepath.Join(dir, name))
	}
}

// Listener accepts connections at the socket.
type Listener struct {
	net.Listener
	path string
}

// Remove removes the socket, and its folder, once the listener is closed.
func (l *Listener) Remove() { os.RemoveAll(filepath.Dir(l.path)) }

// Listen makes the socket of the daemon that serves dir. Its place is written down before
// it is there, so that the next daemon can remove it if this one is killed. Others
// find it only when it listens.
func Listen(dir string) (*Listener, error) {
	noted := filepath.Join(dir, comingFile)
	socket, err := listenUnix(places(dir), func(path string) error {
		return os.WriteFile(noted, []byte(path+"\n"), 0o600)
	})
	if err == nil {
		if err = os.Rename(noted, filepath.Join(dir, File)); err == nil {
			return socket, nil
		}
		socket.Close()
		socket.Remove()
	}
	os.Remove(noted)
	return nil, err
}

// The socket's folder is named socketFolder and some digits, the socket in it socketName.
const (
	socketFolder = "laundromat-"
	socketName   = "socket"
)

// places are where the folder of a socket is made, the first that can be written to. That is among the system's
// temporary files, or in /tmp where their path is too long. Where only the folder that is served can be written to, it
// is there.
func places(dir string) []string {
	all := []string{filepath.Clean(os.TempDir())}
	if runtime.GOOS != "windows" && all[0] != "/tmp" {
		all = append(all, "/tmp")
	}
	if dir, err := filepath.Abs(dir); err == nil { // others may be elsewhere when they read its path
		all = append(all, dir)
	}
	return all
}

// listenUnix makes the socket, which only this user may use, in a folder of its own in one of some places. Its path is
// passed to note before the socket is there.
func listenUnix(places []string, note func(path string) error) (*Listener, error) {
	var first error
	for _, place := range places {
		listener, err := listenUnixIn(place, note)
		if err == nil {
			return listener, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, fmt.Errorf("socket for the other verbs: %w", first)
}

// longestPath is how long the path of a socket may be: sun_path of the systems that grant the least.
const longestPath = 103

// shorten returns another path of a socket whose own is too long for the system, by way of its folder. It is good
// until release is called.
func shorten(path string) (short string, release func(), err error) {
	if len(path) <= longestPath || runtime.GOOS != "linux" {
		return path, func() {}, nil
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("/proc/self/fd/%d/%s", folder.Fd(), filepath.Base(path)), func() { folder.Close() }, nil
}

func listenUnixIn(temp string, note func(path string) error) (*Listener, error) {
	folder, err := os.MkdirTemp(temp, socketFolder)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(folder, socketName)
	var listener net.Listener
	if err = note(path); err == nil {
		listener, err = listenAt(path)
	}
	if err == nil {
		if err = os.Chmod(path, 0o600); err == nil || runtime.GOOS == "windows" {
			return &Listener{listener, path}, nil
		}
		listener.Close()
	}
	os.RemoveAll(folder)
	return nil, err
}

// listenAt makes a socket, whose file stays when it is closed: see [Listener.Remove].
func listenAt(path string) (net.Listener, error) {
	short, release, err := shorten(path)
	if err != nil {
		return nil, err
	}
	defer release()
	listener, err := net.Listen("unix", short)
	if unix, ok := listener.(*net.UnixListener); ok {
		unix.SetUnlinkOnClose(false) // the short path may be another's by then
	}
	return listener, err
}
