package lex_test

import (
	"fmt"
	"strings"

	"laundromat/rdf/ttl/lex"
)

func Example() {
	text := strings.NewReader("ex:a ex:b \"c\"@en ;\n")
	l := lex.New(lex.NewWindow(text, func() error { return nil }, 0), 1<<20)
	l.Next()
	before := l.Mark()
	l.Next()
	fmt.Println("ahead:", string(l.Bytes(&l.Tok)))
	l.Reset(before)
	for ; l.Tok.Kind != lex.EndOfText && l.Tok.Kind != lex.Stopped; l.Next() {
		fmt.Printf("%d:%d %s %s\n", l.Tok.Pos.Line, l.Tok.Pos.Column, l.Tok.Kind, l.Bytes(&l.Tok))
	}
	// Output:
	// ahead: ex:b
	// 1:1 a prefixed name ex:a
	// 1:6 a prefixed name ex:b
	// 1:11 a string "c"
	// 1:14 a language tag @en
	// 1:18 a semicolon ;
}
