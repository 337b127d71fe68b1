package fault

// Codes of archives and compressed files, and of the limits of unpacking.
const (
	ArchiveTruncated     Code = "archive/truncated"
	ArchiveCorrupt       Code = "archive/corrupt"
	ArchiveChecksum      Code = "archive/checksum"
	ArchiveTrailingBytes Code = "archive/trailing-bytes"
	ArchiveLeadingBytes  Code = "archive/leading-bytes"
	ArchiveEncrypted     Code = "archive/encrypted"
	ArchiveUnsupported   Code = "archive/unsupported"
	ArchiveLink          Code = "archive/link"
	ArchiveDevice        Code = "archive/device"
	ArchiveRevisit       Code = "archive/revisit"
	ArchiveUnsafeName    Code = "archive/unsafe-name"
	ArchivePackage       Code = "archive/package"
	ArchiveBadField      Code = "archive/bad-field"
	ArchiveUnchecked     Code = "archive/unchecked"
	ArchivePart          Code = "archive/part"
	ArchiveStrayURL      Code = "archive/stray-url"

	LimitArchiveDepth   Code = "limit/archive-depth"
	LimitArchiveEntries Code = "limit/archive-entries"
	LimitArchiveBytes   Code = "limit/archive-bytes"
	LimitArchiveRatio   Code = "limit/archive-ratio"
	LimitArchiveStalled Code = "limit/archive-stalled"
)

var archiveCodes = []Info{
	{ArchiveTruncated, Drop, "a compressed file or archive that is cut short",
		"The compressed data, or an entry of the archive, ends early. The part before that is read; the rest is lost. It counts as one lost statement, since the number of statements in it is unknown.",
		"Upload the file again, and compare its length or checksum with the original. Where it is made on the fly, see that the program that makes it ran to its end."},
	{ArchiveCorrupt, Drop, "a compressed file or archive that is damaged",
		"The compressed data can't be unpacked from some place on. The part before that is read; the rest of that stream is lost. In a tar or zip the reading goes on with the next sound entry.",
		"Make the archive anew from the original data. A transfer in text mode is a frequent cause."},
	{ArchiveChecksum, Warning, "a checksum that does not fit",
		"The data could be unpacked, but it is not what the checksum beside it was made from. Where its format lets the reading go on, all of it is kept (a warning); where not, the rest is lost (a drop).",
		"Make the archive anew from the original data."},
	{ArchiveTrailingBytes, Warning, "bytes after the end of the archive",
		"After the end of the compressed data or the archive there are bytes that belong to nothing. They are skipped.",
		"Remove what follows the end. If a second archive was meant to follow, publish it as a file of its own."},
	{ArchiveLeadingBytes, Note, "bytes before the beginning of the archive",
		"Before the archive there are other bytes, most often those of a program that unpacks it. They are skipped, and the archive is read.",
		"Nothing to mend, though a plain archive is easier to read for others."},
	{ArchiveEncrypted, Drop, "an entry or archive that is locked with a password",
		"Data that is encrypted can't be read without its password. The entry is lost; entries that are not encrypted are read.",
		"Publish the data without a password."},
	{ArchiveUnsupported, Drop, "packed in a way that can't be read",
		"The method by which the data was packed is one that Laundromat does not know, needs more memory than it gives to unpacking, or spreads over several files. The entry is lost; if the whole file is packed so, its bytes are taken as they are, and it is a warning.",
		"Pack the data with gzip, bzip2, xz or zstd, or in a zip with the usual method (deflate)."},
	{ArchiveLink, Warning, "a link in an archive",
		"The archive holds a symbolic or hard link. Links are not followed: an archive must not point at files outside it, and what it points at inside is read anyway.",
		"Nothing, if the target is in the archive too; else put the file itself into the archive."},
	{ArchiveDevice, Warning, "a device or pipe in an archive",
		"The archive holds a device, a socket or a named pipe, which has no bytes of its own. It is skipped.",
		"Leave it out of the archive."},
	{ArchiveRevisit, Note, "a page that was stored before",
		"The record of a WARC file says that a page was the same as at an earlier visit, and holds none of it. It is skipped; the earlier record has the page.",
		"Nothing, if the earlier record is published too."},
	{ArchiveUnsafeName, Warning, "a name that would write outside its folder",
		"The entry's name begins at a root or drive, climbs with “..”, or holds a backslash or a zero byte. Many programs refuse such names, and some can be tricked by them. The entry is read; its name is only a name here.",
		"Make the archive anew with plain relative names and forward slashes."},
	{ArchivePackage, Note, "a document or program that is a zip inside",
		"The file is a Java archive or another program's package. These are zips, so the parts inside are read like those of any other zip. Office documents and electronic books are not unpacked; they are reported under their own format (format/not-rdf).",
		"Nothing to mend, if that was meant; data is found more easily in a file of its own."},
	{ArchiveBadField, Warning, "a number in an archive's header that can't be read",
		"A field of the entry in the archive, such as its time of change or its owner, isn't a valid number or time. The entry is read with all its bytes; the invalid field is taken for unknown.",
		"Make the archive anew. Times in a tar's extended header are seconds since 1970, with a fraction after a point if need be."},
	{ArchiveUnchecked, Warning, "a checksum of a kind that is not known",
		"The data is unpacked like any other, but the checksum beside it was made in a way that Laundromat does not know. Nothing shows whether the data is what was packed.",
		"Pack the data with a usual checksum, such as CRC-32 or CRC-64."},
	{ArchivePart, Drop, "one part of an archive that spreads over several files",
		"The archive was cut into parts, and this is one of them. The others don't lie beside it, so it can't be read. No part by itself is a document. It counts as one lost statement, since the number of statements in it is unknown.",
		"Give all parts at once, in one folder, or publish the archive as one file."},
	{ArchiveStrayURL, Warning, "a URL between two pages of a crawl dump",
		"A page of a crawl dump is between two lines with its URL. Between the end of one page and the beginning of the next, or after the last, there are lines with URLs that no page follows. They are passed over, and are in no page.",
		"Write the URL before and after each page, and no URL without its page."},

	{LimitArchiveDepth, 0, "archives within archives, too deep",
		"More layers of compression and archives lie in each other than is followed. No honest data is packed so; some files are built to contain themselves.",
		"Pack the data once."},
	{LimitArchiveEntries, 0, "an archive with too many entries",
		"The archives together hold more entries than may be read from one file. Those before the limit were read.",
		"Join the small files, or publish several archives."},
	{LimitArchiveBytes, 0, "an archive that unpacks to too much",
		"The data exceeds the number of bytes that may be unpacked from one file. The part before the limit was read.",
		"Publish the data in parts. Whoever washes it can raise the limit."},
	{LimitArchiveRatio, 0, "a file that grows beyond measure",
		"For each byte of the file more bytes came out than honest data ever holds. Such files are built to fill disks, or consist of one repeated byte. Where a single entry of an archive does so, it is skipped (a drop) and the others are read; where a stream does, or the entries together, the reading ends.",
		"If the data is honest, compress it less tightly, or publish it in parts."},
	{LimitArchiveStalled, Drop, "unpacking that comes to nothing",
		"A decoder gave neither a byte nor an error, again and again, and was given up. The entry or stream is lost from there on; others are read.",
		"Make the archive anew from the original data. If that does not help, report the file: no archive should do this."},
}
