package fault

var recordCodes = []Info{}
