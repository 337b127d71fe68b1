package files_test

import (
	"testing"

	"laundromat/internal/files"
	"laundromat/internal/files/blobtest"
)

func TestAFolderHoldsTheLawsOfAStore(t *testing.T) {
	blobtest.Run(t, func(t testing.TB) files.Blobs { return open(t, t.TempDir()) })
}
