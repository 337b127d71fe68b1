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
		return dialer.DialContext(ctx, "unix", socket)
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
	socket, err := listenUnix(func(path string) error {
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

// listenUnix makes the socket, which only this user may use. Its path may be no
// longer than some 100 bytes (sun_path). So it has a folder of its own among the system's
// temporary files, or in /tmp where that is too long. The path is passed to note before the
// socket is there.
func listenUnix(note func(path string) error) (*Listener, error) {
	listener, err := listenUnixIn(os.TempDir(), note)
	if err == nil || runtime.GOOS == "windows" {
		return listener, err
	}
	listener, again := listenUnixIn("/tmp", note)
	if again != nil {
		return nil, fmt.Errorf("socket for the other verbs: %w", err)
	}
	return listener, nil
}

func listenUnixIn(temp string, note func(path string) error) (*Listener, error) {
	folder, err := os.MkdirTemp(temp, socketFolder)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(folder, socketName)
	var listener net.Listener
	if err = note(path); err == nil {
		listener, err = net.Listen("unix", path)
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
