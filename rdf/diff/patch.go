package diff

import "strings"

// The rows of an RDF Patch (Apache Jena, "RDF Patch"), a text for Content-Type application/rdf-patch: a header, and
// one transaction, which ends with TC. What was cut off has no TC, and changes nothing. A statement stands behind its
// letter as in N-Quads.
//
// A patch is applied by programs that know nothing of nodes under other names. So changes are compared by name
// ([Options.ByName]). A label _:x is that of the node in the file that the patch is applied to.
const (
	PatchRemoved = "D "
	PatchAdded   = "A "
	PatchEnd     = "TC ."
)

// PatchBegin is what a patch begins with, without its line end. It says from which state of the data to which it
// leads, where these are known by their MD5: then the patches from one version to the next make a log, of which each
// names the one before.
func PatchBegin(before, after string) string {
	const begin = "TX ."
	if len(before) != 32 || len(after) != 32 {
		return begin
	}
	return "H id " + uuid(after) + " .\nH prev " + uuid(before) + " .\n" + begin
}

// uuid is 32 hex digits in the form of a UUID.
func uuid(hash string) string {
	return "<uuid:" + strings.Join([]string{hash[:8], hash[8:12], hash[12:16], hash[16:20], hash[20:]}, "-") + ">"
}
