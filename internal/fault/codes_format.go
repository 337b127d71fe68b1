package fault

var formatCodes = []Info{}
