package quadline

import "testing"

func TestALineIsTakenApart(t *testing.T) {
	for _, c := range []struct {
		line                              string
		subject, predicate, object, graph string
		isNone                            bool
	}{
		{"<s> <p> <o> .", "<s>", "<p>", "<o>", "", false},
		{"_:a <p> _:b .", "_:a", "<p>", "_:b", "", false},
		{"_:a <p> _:b _:g .", "_:a", "<p>", "_:b", "_:g", false},
		{"<s> <p> <o> <g> .", "<s>", "<p>", "<o>", "<g>", false},
		{`<s> <p> "a <g> ." <g> .`, "<s>", "<p>", `"a <g> ."`, "<g>", false},
		{`<s> <p> "a <g>" .`, "<s>", "<p>", `"a <g>"`, "", false},
		{`<s> <p> "a"@en--ltr .`, "<s>", "<p>", `"a"@en--ltr`, "", false},
		{`<s> <p> "a b"^^<d> _:g .`, "<s>", "<p>", `"a b"^^<d>`, "_:g", false},
		{`<s> <p> "\" <o>" .`, "<s>", "<p>", `"\" <o>"`, "", false},
		{`<s> <p> <<( <a> <b> "c d" )>> <g> .`, "<s>", "<p>", `<<( <a> <b> "c d" )>>`, "<g>", false},
		{`<s> <p> <<( <a> <b> <c> )>> .`, "<s>", "<p>", `<<( <a> <b> <c> )>>`, "", false},
		{"<s> <p> <o>", "", "", "", "", true},
		{"<s> <p> .", "", "", "", "", true},
		{"s p o .", "", "", "", "", true},
		{"<s> <p> o .", "", "", "", "", true},
		{"", "", "", "", "", true},
	} {
		got, ok := Cut([]byte(c.line))
		switch {
		case ok == c.isNone:
			t.Errorf("%s: %v", c.line, ok)
		case ok && (string(got.Subject) != c.subject || string(got.Predicate) != c.predicate || string(got.Object) != c.object ||
			string(got.Graph) != c.graph):
			t.Errorf("%s: %q %q %q %q", c.line, got.Subject, got.Predicate, got.Object, got.Graph)
		}
	}
}
