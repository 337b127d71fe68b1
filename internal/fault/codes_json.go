package fault

var jsonCodes = []Info{}
