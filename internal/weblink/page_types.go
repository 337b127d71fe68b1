package weblink

import "bytes"

// MayLeadTo says whether [Page] may find a link whose type is wanted, in a page whose ASCII is as it is. It looks for
// attributes of this name alone, which takes a small part of the time. Where it says no, there is none.
func MayLeadTo(page []byte, wanted func(mediaType string) bool) bool {
	for i := 0; ; {
		equals := bytes.IndexByte(page[i:], '=')
		if equals < 0 {
			return false
		}
		equals += i
		i = equals + 1
		end := equals
		for end > 0 && isSpace(page[end-1]) {
			end--
		}
		name := end - len("type")
		if name < 1 || !bytes.EqualFold(page[name:end], []byte("type")) || !endsAttribute(page[name-1]) {
			continue
		}
		value := valueAt(page[i:])
		isWanted := bytes.IndexByte(value, '&') >= 0 || wanted(mediaType(string(value)))
		if isWanted && !isOfScript(page[:name]) {
			return true
		}
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' }

// endsAttribute says that the name of an attribute may begin after a byte.
func endsAttribute(c byte) bool { return isSpace(c) || c == '/' || c == '"' || c == '\'' }

// valueAt is the value of an attribute, from after its sign of equality.
func valueAt(rest []byte) []byte {
	for len(rest) > 0 && isSpace(rest[0]) {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return nil
	}
	if quote := rest[0]; quote == '"' || quote == '\'' {
		if end := bytes.IndexByte(rest[1:], quote); end >= 0 {
			return rest[1 : 1+end]
		}
		return rest[1:]
	}
	end := 0
	for end < len(rest) && !isSpace(rest[end]) && rest[end] != '>' {
		end++
	}
	return rest[:end]
}

// longestScript is how far before an attribute the tag of a script is looked for, in bytes.
const longestScript = 200

// isOfScript says that an attribute which begins after these bytes is that of a script, or none at all. After a > that
// ends a tag, a tag begins. Where that > is in a value, so is all up to the next quote.
func isOfScript(before []byte) bool {
	from := max(0, len(before)-longestScript)
	open := bytes.LastIndexByte(before[from:], '<')
	if open < 0 {
		return false
	}
	tag := before[from+open:]
	const script = "<script"
	if len(tag) <= len(script) || !bytes.EqualFold(tag[:len(script)], []byte(script)) || !isSpace(tag[len(script)]) ||
		bytes.ContainsAny(tag, `"'>`) {
		return false
	}
	outside := bytes.TrimRight(before[:from+open], " \n\r\t\f")
	return len(outside) > 0 && outside[len(outside)-1] == '>'
}
