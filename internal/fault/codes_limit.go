package fault

// Codes of limits that a document reached, and of trouble on our own side.
const (
	LimitMemory    Code = "limit/memory"
	LimitNotices   Code = "limit/notices"
	LimitBytes     Code = "limit/bytes"
	LimitToken     Code = "limit/token"
	LimitFollowed  Code = "limit/followed"
	LimitNesting   Code = "limit/nesting"
	LimitLease     Code = "limit/lease"
	LimitCollision Code = "limit/collision"
	LocalNetwork   Code = "local/network"
	LocalDisk      Code = "local/disk"
	LocalBucket    Code = "local/bucket"
	LocalDatabase  Code = "local/database"
	LocalFile      Code = "local/file"
	LocalStopped   Code = "local/stopped"
	BugPanic       Code = "bug/panic"
	BugProcessDied Code = "bug/process-died"

	SyntaxUnreadable Code = "syntax/unreadable"
)

var limitCodes = []Info{
	{LimitMemory, 0, "the document needs more memory than it may have",
		"The document can only be read whole, and that would take more memory than --memory allows. Nothing of it was written.",
		"Publish the data in a format that can be read as a stream (N-Triples, N-Quads, Turtle, TriG, RDF/XML, TriX, RDF/JSON), or cut it in parts. Whoever washes it can raise --memory."},
	{LimitNotices, Warning, "the list of notices is not complete",
		"The list of notices of one document grew past --notices-max. The counts go on and are exact; only the list ends here.",
		"Mend the faults that are listed, and wash the document again."},
	{LimitBytes, 0, "the document is longer than it may be",
		"The unpacked document exceeds the limit that was set. The part before the limit is not written, since it would look complete.",
		"Cut the document in parts. Whoever washes it can raise the limit."},
	{LimitToken, Drop, "a term is longer than a reader may hold",
		"A single term, tag or line did not end within the largest size that a reader holds in memory: a twelfth of --memory, or what --max-literal says. It is a very large value, such as the outline of a country, or a quotation mark that was never closed. Nothing of it is read as statements. The reader goes on after it.",
		"Close the quotation mark, or cut the value. Whoever washes it can give more with --max-literal, or with --memory."},
	{LimitFollowed, Warning, "more documents are named than are followed",
		"With --follow, the documents that washed data names as dumps become seeds, up to a limit a document. This one names more. The statements are all there; only the seeds are not.",
		"Nothing to mend in the data. Whoever washes it can add the document as a catalog, whose limit is higher."},
	{LimitNesting, Drop, "nested too deeply",
		"Brackets or elements are nested more deeply than a reader follows. Real data is never so deep; the reader goes on after it.",
		"Give the inner nodes names, and state them one after another."},
	{LimitLease, 0, "no sign of life",
		"The work on this document showed no progress for so long that it was cut. It is tried again, a few times.",
		"Most often nothing: the machine was overloaded. If it happens each time, please report it, with the document."},
	{LimitCollision, 0, "the MD5 of another document",
		"The clean N-Quads have the same MD5 as those of another document, and are not the same. That does not happen by chance: somebody made the two for it. A clean file is named by its MD5, so this one was not kept.",
		"Change any statement, and the document is washed like any other."},
	{LocalDisk, 0, "this machine's trouble",
		"The disk is full, or a file could not be opened or written on the machine that washes. The document is not at fault; it is tried again.",
		"Nothing to mend in the data."},
	{LocalNetwork, 0, "this machine has no network",
		"A host could not be looked up or reached, and neither could any other: there is no route to the outside, or no name server answers. The work is given back, no try is counted, and downloads pause until the network is back.",
		"Nothing to mend in the data. See to the connection and the name servers of this machine."},
	{LocalBucket, 0, "trouble with the object store",
		"The object store that --blobs names could not be reached, or refused a request. No document is at fault; the work is given back, no try is counted, and it goes on when the store answers.",
		"Nothing to mend in the data. The message says what the store replied: see to the network, the keys, the bucket or the clock."},
	{LocalDatabase, 0, "trouble with the database",
		"The database that --store names could not be reached, or refused a request. No document is at fault; the work is given back, no try is counted, and it goes on when the database answers.",
		"Nothing to mend in the data. The message says what the server replied: see to the network, the user and its rights, or the server."},
	{LocalFile, 0, "a file that can't be read",
		"A file that was named is not there, is a folder, or may not be read; or a file of the store is missing or damaged.",
		"Check the name and the permissions. For a file of the store, \"laundromat verify --repair\" has the document washed or fetched again."},
	{LocalStopped, 0, "stopped while at work",
		"Laundromat was told to stop while it worked on this document. The work is given back and done again at the next start.",
		"Nothing to mend in the data."},
	{BugPanic, 0, "a fault of Laundromat itself",
		"The program met a case that it can't handle. The document failed, and the work on others goes on. The attempt holds the stack.",
		"Please report it, with the document."},
	{BugProcessDied, 0, "Laundromat died while it washed this alone",
		"The process ended without a word several times, each time while it washed nothing but this document: it ran out of memory, or met a fault of its own. Others that were at work with it are not blamed. It is tried again after hours, each time after twice as many, and by itself.",
		"Give the process more memory, or fewer documents at once (--memory). If it dies of this document all the same, please report it."},
	{SyntaxUnreadable, 0, "the document could not be read to its end",
		"Reading stopped with an error that has no code of its own; the message says what it was. Nothing of the document was written.",
		"See the message. If the document can be read elsewhere, please report it."},
}
