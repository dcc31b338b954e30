// A parameter has a number.
>> {"jsonrpc":"2.0","id":1,"method":"local.setConfig","params":{"params":{"gas":"te6cckEBAQEAAgAAAEysuc0="}}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: params: 'gas' is not the number of a parameter (expected an object from parameter number (int32) to a BoC in base64, or null to remove it)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"params","message":"params: 'gas' is not the number of a parameter","expected":"an object from parameter number (int32) to a BoC in base64, or null to remove it"}]}}}
