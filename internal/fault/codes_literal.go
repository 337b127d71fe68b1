package fault

var literalCodes = []Info{}
