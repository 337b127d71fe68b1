package fault

var encodingCodes = []Info{}
