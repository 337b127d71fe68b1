package blobtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// AccessKey and SecretKey are the keys of the server that tests start.
const AccessKey, SecretKey = "laundry-key", "laundry-secret"

// Gateway is an object store that a test has started. It must be stopped.
type Gateway struct {
	Endpoint string // its URL
	Buckets  string // the folder in which each folder is a bucket
	Said     string // the file with what it says

	program, address string
	command          *exec.Cmd
}

// ErrMissing says that the program of the object store is not installed.
var ErrMissing = errors.New("versitygw is not installed: the object store is not tested")

// Program is the path of versitygw.
func Program() (string, error) {
	if path, err := exec.LookPath("versitygw"); err == nil {
		return path, nil
	}
	gopath, err := exec.Command("go", "env", "GOPATH").Output()
	if path := filepath.Join(strings.TrimSuffix(string(gopath), "\n"), "bin", "versitygw"); err == nil {
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	return "", ErrMissing
}

// Start starts an object store on loopback, with its buckets in a folder.
func Start(dir string) (*Gateway, error) {
	program, err := Program()
	if err != nil {
		return nil, err
	}
	g := &Gateway{Buckets: filepath.Join(dir, "buckets"), Said: filepath.Join(dir, "versitygw.log"), program: program}
	if err := os.MkdirAll(g.Buckets, 0o700); err != nil {
		return nil, err
	}
	g.address = freeAddress()
	g.Endpoint = "http://" + g.address
	return g, g.Again()
}

// freeAddress is one that nobody listens on, with a port that the system gives to no connection by itself. While the
// server is stopped, who tries to reach it could else meet itself there.
func freeAddress() (address string) {
	for range 100 {
		address = fmt.Sprint("127.0.0.1:", 20_000+rand.IntN(10_000))
		listener, err := net.Listen("tcp", address)
		if err == nil {
			listener.Close()
			break
		}
	}
	return address
}

// Again starts it after a stop, at the same address.
func (g *Gateway) Again() error {
	said, err := os.OpenFile(g.Said, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer said.Close()
	g.command = exec.Command(g.program, "--port", g.address, "--access", AccessKey, "--secret", SecretKey, "posix", g.Buckets)
	g.command.Stdout, g.command.Stderr = said, said
	if err := g.command.Start(); err != nil {
		return err
	}
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); {
		if c, err := net.Dial("tcp", g.address); err == nil {
			c.Close()
			return nil
		}
		time.Sleep(5 * time.Millisecond)
	}
	g.Stop()
	text, _ := os.ReadFile(g.Said)
	return fmt.Errorf("the object store does not listen at %s: %s", g.address, text)
}

// Stop ends it as if its machine had stopped.
func (g *Gateway) Stop() {
	g.command.Process.Kill()
	g.command.Wait()
}

// ID is the number of its process.
func (g *Gateway) ID() int { return g.command.Process.Pid }
