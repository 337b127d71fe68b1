package fault

var htmlCodes = []Info{}
