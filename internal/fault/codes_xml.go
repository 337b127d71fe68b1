package fault

var xmlCodes = []Info{}
