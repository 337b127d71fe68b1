package clean

import (
	"laundromat/internal/fault"
	"laundromat/markup/prose"
	"laundromat/rdf"
)

// texts warns of strings and texts in a language that did not come through as they were written. It
// changes nothing, since what was meant is only likely. Only where it is asked to, it reads back what
// was read in a wrong encoding.
type texts struct {
	teller
	mends bool
}

func (f *texts) Quad(q *rdf.Quad) error {
	t := &q.Object
	if t.Kind == rdf.Literal && len(t.Datatype) == 0 && !prose.IsSound(t.Value) {
		if f.mends {
			if meant, page := prose.Mend(t.Value); page != "" {
				f.repair(object, q, t, t.Value, fault.Notice{Code: fault.LiteralMojibakeMended, Message: "the text was read back, which " +
					"was UTF-8 that was read as " + page})
				t.Value = meant
			}
		}
		for _, found := range prose.Judge(t.Value, t.Language) {
			doubt := &doubts[found.Kind]
			message := doubt.message
			if found.Detail != "" {
				message += ": " + found.Detail
			}
			f.tell(object, t, t.Value, fault.Notice{Code: doubt.code, Severity: fault.Warning, Message: message})
		}
	}
	return f.Sink.Quad(q)
}

// doubts says how each kind of finding is reported.
var doubts = [...]struct {
	code    fault.Code
	message string
}{
	prose.Mojibake:      {fault.LiteralMojibake, "the text is UTF-8 that was read in another encoding"},
	prose.Replacement:   {fault.LiteralReplaced, "part of this text was lost: U+FFFD is in its place"},
	prose.QuestionMarks: {fault.LiteralQuestionMarks, "question marks are in the place of letters"},
	prose.Control:       {fault.LiteralControl, "the text holds a control character"},
	prose.PrivateUse:    {fault.LiteralPrivateUse, "the text holds a character without a public meaning"},
	prose.Entity:        {fault.LiteralEntity, "the text holds a character reference of HTML"},
	prose.Tag:           {fault.LiteralTag, "the text holds a tag of HTML"},
	prose.Blank:         {fault.LiteralWhiteSpace, "there is white space around the text"},
	prose.NotNFC:        {fault.LiteralNotNFC, "the text is not in Unicode's normal form C"},
}
