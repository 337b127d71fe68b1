//go:build lean

package dump

import "errors"

// lean says that heavy formats are left out.
const lean = true

var errLean = errors.New("this program was built without this format (tag lean)")

func openParquet(*output, *table) (rowWriter, error) { return nil, errLean }
func openSQLite(*output, *table) (rowWriter, error)  { return nil, errLean }
func openXLSX(*output, *table) (rowWriter, error)    { return nil, errLean }
