package fault

var schemaCodes = []Info{}
