package bolt

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"

	"laundromat/seedlist"
)

// Each record of a seed, of the log and of a catalog ends in a checksum. A disk may give
// back other bytes than it took. The file's own format checks the two pages at its head alone.
//
//	record = what it says, CRC-32C (4 bytes, little-endian), the version of this form (1 byte)
//
// The sum is over the bucket's name, the key and what the record says. So a record at the place
// of another is found, too.
const (
	// sumVersion is the version of the form. No JSON ends in this byte.
	sumVersion = 0xC1
	sumSize    = 5
)

// summed are the buckets whose records have a sum. Buckets of other data are made from these,
// but for a few settings. Each has what its records are called where they can't be read, what is lost by that, what
// they are together, and how one is checked.
var summed = map[int]struct {
	place, lost, all string
	check            func(key, record []byte) error
}{
	inHot:      {"the state of record %d", "in which state a seed is", "states of records", errorOf(readHot)},
	inCold:     {"record %d", "", "records", errorOf(readStored)},
	inLog:      {"entry %d of the log", "an attempt", "attempts", errorOf(readAttempt)},
	inCatalogs: {"catalog %d", "what is known of a catalog", "catalogs", errorOf(readCatalog)},
}

func errorOf[T any](read func(key, record []byte) (T, error)) func(key, record []byte) error {
	return func(key, record []byte) error {
		_, err := read(key, record)
		return err
	}
}

// errRecord says what is wrong with a record.
var (
	errNoSum  = errors.New("has no checksum")
	errSum    = errors.New("has another checksum than its bytes")
	errRecord = errors.New("has the right checksum, and can't be decoded")
	errAbsent = errors.New("is not there")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sumsOfNames are the sums of the names of the buckets, which all sums begin with.
var sumsOfNames = func() (sums [bucketCount]uint32) {
	for which, name := range bucketNames {
		sums[which] = crc32.Checksum([]byte(name), castagnoli)
	}
	return sums
}()

func sumOf(which int, key, said []byte) uint32 {
	return crc32.Update(crc32.Update(sumsOfNames[which], castagnoli, key), castagnoli, said)
}

// withSum is a record as it is stored. It is a copy.
func withSum(which int, key, said []byte) []byte {
	return appendSum(which, key, append(make([]byte, 0, len(said)+sumSize), said...))
}

// appendSum appends its sum to what a record says. Nobody else may have the memory behind that.
func appendSum(which int, key, said []byte) []byte {
	record := binary.LittleEndian.AppendUint32(said, sumOf(which, key, said))
	return append(record, sumVersion)
}

// checkSum returns what a record says. The slice is part of the record.
func checkSum(which int, key, record []byte) (said []byte, err error) {
	if record == nil {
		return nil, errAbsent
	}
	if len(record) < sumSize || record[len(record)-1] != sumVersion {
		return nil, errNoSum
	}
	said = record[:len(record)-sumSize]
	if binary.LittleEndian.Uint32(record[len(said):]) != sumOf(which, key, said) {
		return nil, errSum
	}
	return said, nil
}

// readStored decodes the larger record of a seed.
func readStored(key, record []byte) (seedlist.Stored, error) {
	return decoded(inCold, key, record, seedlist.DecodeStored)
}

// readAttempt decodes an entry of the log.
func readAttempt(key, record []byte) (seedlist.Attempt, error) {
	return decoded(inLog, key, record, func(said []byte) (a seedlist.Attempt, err error) {
		err = json.Unmarshal(said, &a)
		return a, err
	})
}

// readCatalog decodes the record of a catalog.
func readCatalog(key, record []byte) (seedlist.Catalog, error) {
	return decoded(inCatalogs, key, record, decodeCatalog)
}

// decoded decodes what a record says.
func decoded[T any](which int, key, record []byte, decode func([]byte) (T, error)) (value T, err error) {
	said, err := checkSum(which, key, record)
	if err != nil {
		return value, err
	}
	if value, err = decode(said); err != nil {
		return value, fmt.Errorf("%w: %w", errRecord, err)
	}
	return value, nil
}

// readHot decodes the small record of a seed.
func readHot(key, record []byte) (hot, error) {
	return decoded(inHot, key, record, decodeHot)
}

// recordDamage is what an error of a record of one of the buckets that have sums means for who reads.
func recordDamage(list string, which int, id uint64, why error) *seedlist.Damage {
	return &seedlist.Damage{List: list, Place: fmt.Sprintf(summed[which].place, id), Why: why.Error(), Lost: summed[which].lost}
}

// damageOf is recordDamage of a seed, whose key is looked for.
func (t *tables) damageOf(which int, id uint64, why error) *seedlist.Damage {
	d := recordDamage(t.list, which, id, why)
	d.Lost = ""
	if d.Hash = t.hashOf(id); d.Hash == "" {
		d.Lost = "the record of a seed whose key is not known"
	}
	return d
}
