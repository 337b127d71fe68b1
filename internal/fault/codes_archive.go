package fault

var archiveCodes = []Info{}
