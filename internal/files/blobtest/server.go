package blobtest

import (
	"errors"
	"testing"
)

// Server starts an object store on loopback with some buckets, which ends with the test. Its keys are set in the
// environment. Where its program is not installed, the test is skipped with a word.
func Server(t testing.TB, buckets ...string) *Gateway {
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
	for _, name := range buckets {
		if err := gateway.Make(name); err != nil {
			t.Fatal(err)
		}
	}
	return gateway
}
