package blobtest

import (
	"errors"
	"testing"
)

// Server starts an object store on loopback, which ends with the test. It returns its URL, and the folder in
// which each folder is a bucket. Its keys are set in the environment. Where versitygw is not installed, the test is
// skipped with a word.
func Server(t testing.TB) (endpoint, buckets string) {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", AccessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", SecretKey)
	gateway, err := Start(t.TempDir())
	if errors.Is(err, ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(gateway.Stop)
	return gateway.Endpoint, gateway.Buckets
}
