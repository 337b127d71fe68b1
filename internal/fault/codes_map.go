package fault

var mapCodes = []Info{}
