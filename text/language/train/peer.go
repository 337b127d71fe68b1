package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"laundromat/text/language"
)

// guesser says in which language a text is most likely.
type guesser func(text string) (language.Guess, error)

// ours is what package language says.
func ours(text string) (language.Guess, error) {
	var s language.Sum
	s.Add(text)
	return s.Guesses()[0], nil
}

// tagsOfFastText are the tags of ours for languages that fastText has another name for.
var tagsOfFastText = map[string]string{"no": "nb", "sh": "sr"}

//go:embed fasttext.mjs
var script string

// startFastText starts fastText's compressed model for 176 languages in a program of Node.js, which ends with this one.
func startFastText(folder string) (guesser, error) {
	folder, err := filepath.Abs(filepath.Join(folder, "fasttext", "package"))
	if err != nil {
		return nil, err
	}
	command := exec.Command("node", "--input-type=module", "--eval", script, folder)
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(out)
	return func(text string) (g language.Guess, err error) {
		if _, err := io.WriteString(in, strings.Join(strings.Fields(text), " ")+"\n"); err != nil {
			return g, err
		}
		if !lines.Scan() {
			return g, fmt.Errorf("fastText ended: %w", command.Wait())
		}
		tag, probability, _ := strings.Cut(lines.Text(), "\t")
		if other := tagsOfFastText[tag]; other != "" {
			tag = other
		}
		g.Tag = tag
		g.Probability, err = strconv.Atoi(probability)
		return g, err
	}, nil
}
