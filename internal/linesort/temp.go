package linesort

// tempPattern names temporary files where they must have a name.
const tempPattern = "laundromat-sort-*"
