package fault

var transportCodes = []Info{}
