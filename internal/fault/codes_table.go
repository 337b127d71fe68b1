package fault

var tableCodes = []Info{}
