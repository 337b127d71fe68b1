package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"laundromat/web"
)

// defaultListen is where the API listens if nothing else is said.
const defaultListen = "127.0.0.1:8085"

// serveAPI starts the API on TCP, where it only reads, and on a unix socket. The
// addresses are written into the folder, so that the other verbs find them.
func (p *program) serveAPI(house *house, dir string, log zerolog.Logger) (stop func(), err error) {
	tcp, err := net.Listen("tcp", p.listen)
	if err != nil && !p.listenGiven {
		// Nobody asked for this port: that something else has it must not keep the
		// first command of a newcomer from its work. The real one is told.
		tcp, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		return nil, fmt.Errorf("--listen: %w", err)
	}
	removeStaleSocket(dir)
	socket, path, err := listenFor(dir)
	if err != nil {
		tcp.Close()
		return nil, err
	}
	public := http.Handler(web.New(house.api(false)))
	if p.pprof {
		if public, err = withProfiles(public, tcp.Addr()); err != nil {
			tcp.Close()
			socket.Close()
			os.RemoveAll(filepath.Dir(path))
			return nil, err
		}
	}
	servers := []*http.Server{
		{Handler: public, ReadHeaderTimeout: 10 * time.Second},
		{Handler: web.New(house.api(true)), ReadHeaderTimeout: 10 * time.Second},
	}
	for i, listener := range []net.Listener{tcp, socket} {
		go func() {
			if err := servers[i].Serve(listener); err != nil && !errors.Is(err, http.ErrServerClosed) {
				log.Error().Err(err).Msg("the API ended")
			}
		}()
	}
	address := tcp.Addr().String()
	if err := os.WriteFile(filepath.Join(dir, addressFile), []byte(address+"\n"), 0o600); err != nil {
		log.Error().Err(err).Msg("could not write down the address")
	}
	if !p.quiet {
		if at, ok := tcp.Addr().(*net.TCPAddr); ok && !at.IP.IsLoopback() {
			fmt.Fprintf(p.err, "laundromat: warning: whoever reaches %s may read the API and the dirty bytes, which others wrote: --listen 127.0.0.1:PORT keeps them to this machine\n", address)
		}
		fmt.Fprintf(p.err, "laundromat: serving http://%s/api/v1, seed list in %s\n", address, dir)
	}
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		for _, server := range servers {
			if server.Shutdown(ctx) != nil {
				server.Close()
			}
		}
		for _, name := range []string{addressFile, socketFile} {
			os.Remove(filepath.Join(dir, name))
		}
		os.RemoveAll(filepath.Dir(path))
	}, nil
}

// removeStaleSocket removes the socket of a daemon that was killed. Whoever holds the
// store knows that it is gone.
func removeStaleSocket(dir string) {
	for _, name := range []string{socketFile, comingSocketFile} {
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

// listenFor makes the socket of the daemon that serves dir. Its place is written down before
// it is there, so that the next daemon can remove it if this one is killed; but others
// find it only when it listens.
func listenFor(dir string) (net.Listener, string, error) {
	noted := filepath.Join(dir, comingSocketFile)
	socket, path, err := listenUnix(func(path string) error {
		return os.WriteFile(noted, []byte(path+"\n"), 0o600)
	})
	if err == nil {
		if err = os.Rename(noted, filepath.Join(dir, socketFile)); err == nil {
			return socket, path, nil
		}
		socket.Close()
		os.RemoveAll(filepath.Dir(path))
	}
	os.Remove(noted)
	return nil, "", err
}

// The socket's folder is named socketFolder and some digits, the socket in it socketName.
const (
	socketFolder = "laundromat-"
	socketName   = "socket"
)

// listenUnix makes the socket, which only this user may use. Its path may be no
// longer than some 100 bytes (sun_path), so it lies not in the --data folder but in
// the system's folder for temporary files, in a folder of its own; and in /tmp where
// even that is too long. note is told the path before the socket is there.
func listenUnix(note func(path string) error) (net.Listener, string, error) {
	listener, path, err := listenUnixIn(os.TempDir(), note)
	if err == nil || runtime.GOOS == "windows" {
		return listener, path, err
	}
	listener, path, again := listenUnixIn("/tmp", note)
	if again != nil {
		return nil, "", fmt.Errorf("socket for the other verbs: %w", err)
	}
	return listener, path, nil
}

func listenUnixIn(temp string, note func(path string) error) (net.Listener, string, error) {
	folder, err := os.MkdirTemp(temp, socketFolder)
	if err != nil {
		return nil, "", err
	}
	path := filepath.Join(folder, socketName)
	var listener net.Listener
	if err = note(path); err == nil {
		listener, err = net.Listen("unix", path)
	}
	if err == nil {
		if err = os.Chmod(path, 0o600); err == nil || runtime.GOOS == "windows" {
			return listener, path, nil
		}
		listener.Close()
	}
	os.RemoveAll(folder)
	return nil, "", err
}
