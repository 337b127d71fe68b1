package fault

var iriCodes = []Info{}
