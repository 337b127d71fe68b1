package files

import "errors"

// What a wash changed is in three files under the hash of the dirty seed. Two hold the
// statements that are gone and those that came, sorted as in clean files. The third holds
// the nodes that are the same and have another name. Each is made by a CleanWriter.
const (
	Removed Suffix = ".removed.nq.gz"
	Added   Suffix = ".added.nq.gz"
	Renamed Suffix = ".renamed.tsv.gz"
)

// AppendRenamed appends a line of a list of renamed nodes, without its end. It is the name
// before, a tab, and the name after, as terms of N-Quads.
func AppendRenamed(dst, before, after []byte) []byte {
	return append(append(append(dst, before...), '\t'), after...)
}

// Open opens a sealed file for reading before it is committed.
func (p *pendingFile) Open() (Blob, error) {
	if !p.sealed || p.ended {
		return nil, errors.New("files: only a sealed file that is not committed yet can be read so")
	}
	blob, err := openFile(p.path)
	if err != nil {
		return nil, local("files.Open", err)
	}
	return blob, nil
}
