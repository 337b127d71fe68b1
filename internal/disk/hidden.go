package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// CreateHidden creates a temporary file in the folder of name, with the mode that the user's files
// have. The file takes that name by [os.Rename] when it is complete. It is open for reading and
// writing.
func CreateHidden(name string) (*os.File, error) {
	folder, base := filepath.Split(name)
	for {
		temp := filepath.Join(folder, fmt.Sprintf(".%s-%08x", base, rand.Uint32()))
		file, err := os.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}
