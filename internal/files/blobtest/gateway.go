package blobtest

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"laundromat/internal/testkit/freeport"
)

// AccessKey and SecretKey are the keys of the server that tests start.
const AccessKey, SecretKey = "laundry-key", "laundry-secret"

// Gateway is an object store that a test has started. It must be stopped.
type Gateway struct {
	Endpoint string // its URL
	Buckets  string // the folder in which each folder is a bucket; empty where the store keeps them otherwise
	Said     string // the file with what it says

	// Make makes a bucket.
	Make func(bucket string) error

	serve   []string     // the program and its arguments
	ready   func() error // nil once it takes requests
	command *exec.Cmd
}

// ErrMissing says that the program of the object store is not installed.
var ErrMissing = errors.New("the object store is not installed, and not tested: versitygw, or what LAUNDROMAT_OBJECT_STORE names")

// Program is the path of the object store: versitygw, or the one that LAUNDROMAT_OBJECT_STORE names, which may be
// weed, the program of SeaweedFS.
func Program() (string, error) {
	name := os.Getenv("LAUNDROMAT_OBJECT_STORE")
	if name == "" {
		name = "versitygw"
	}
	if path, err := exec.LookPath(name); err == nil {
		return filepath.Abs(path)
	}
	gopath, err := exec.Command("go", "env", "GOPATH").Output()
	if path := filepath.Join(strings.TrimSuffix(string(gopath), "\n"), "bin", name); err == nil {
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	return "", ErrMissing
}

// Start starts an object store on loopback, with all that it keeps in a folder.
func Start(dir string) (*Gateway, error) {
	program, err := Program()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	var g *Gateway
	if filepath.Base(program) == "weed" {
		g, err = weed(program, dir)
	} else {
		g, err = versitygw(program, dir)
	}
	if err != nil {
		return nil, err
	}
	g.Said = filepath.Join(dir, "store.log")
	return g, g.Again()
}

// versitygw gives out a folder, in which each folder is a bucket.
func versitygw(program, dir string) (*Gateway, error) {
	address, buckets := freeport.Address(), filepath.Join(dir, "buckets")
	g := &Gateway{
		Endpoint: "http://" + address, Buckets: buckets,
		serve: []string{program, "--port", address, "--access", AccessKey, "--secret", SecretKey, "posix", buckets},
		Make:  func(name string) error { return os.Mkdir(filepath.Join(buckets, name), 0o700) },
	}
	g.ready = func() error {
		c, err := net.Dial("tcp", address)
		if err == nil {
			c.Close()
		}
		return err
	}
	return g, os.MkdirAll(buckets, 0o700)
}

// Again starts it after a stop, at the same address.
func (g *Gateway) Again() error {
	said, err := os.OpenFile(g.Said, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer said.Close()
	g.command = exec.Command(g.serve[0], g.serve[1:]...)
	g.command.Stdout, g.command.Stderr = said, said
	if err := g.command.Start(); err != nil {
		return err
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		if err = g.ready(); err == nil {
			return nil
		}
		time.Sleep(5 * time.Millisecond)
	}
	g.Stop()
	text, _ := os.ReadFile(g.Said)
	return fmt.Errorf("the object store does not answer at %s: %v\n%s", g.Endpoint, err, text)
}

// Stop ends it as if its machine had stopped.
func (g *Gateway) Stop() {
	g.command.Process.Kill()
	g.command.Wait()
}

// ID is the number of its process.
func (g *Gateway) ID() int { return g.command.Process.Pid }
