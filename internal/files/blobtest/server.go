package blobtest

import (
	"bufio"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// versitygw finds the S3 gateway that the tests start, or skips the test with a word.
func versitygw(t testing.TB) string {
	t.Helper()
	if path, err := exec.LookPath("versitygw"); err == nil {
		return path
	}
	gopath, err := exec.Command("go", "env", "GOPATH").Output()
	if path := filepath.Join(string(trimLine(gopath)), "bin", "versitygw"); err == nil {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Skip("versitygw is not installed: the object store is not tested")
	return ""
}

func trimLine(text []byte) []byte {
	for len(text) > 0 && text[len(text)-1] == '\n' {
		text = text[:len(text)-1]
	}
	return text
}

// AccessKey and SecretKey are the keys of the server that tests start.
const AccessKey, SecretKey = "laundry-key", "laundry-secret"

// Server starts an object store on loopback, which ends with the test. It returns its URL, and the folder in
// which each folder is a bucket. Its keys are set in the environment. Where versitygw is not installed, the test is
// skipped with a word.
func Server(t testing.TB) (endpoint, buckets string) {
	t.Helper()
	program := versitygw(t)
	buckets = t.TempDir()
	t.Setenv("AWS_ACCESS_KEY_ID", AccessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", SecretKey)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	_, port, _ := net.SplitHostPort(address)
	command := exec.Command(program, "--port", "127.0.0.1:"+port, "--access", AccessKey, "--secret", SecretKey, "posix", buckets)
	said, err := os.CreateTemp(t.TempDir(), "versitygw")
	if err != nil {
		t.Fatal(err)
	}
	command.Stdout, command.Stderr = said, said
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		command.Process.Kill()
		command.Wait()
		said.Close()
	})
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return "http://" + address, buckets
		}
		time.Sleep(5 * time.Millisecond)
	}
	said.Seek(0, io.SeekStart)
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		t.Log(lines.Text())
	}
	t.Fatal("the object store does not listen")
	return "", ""
}
