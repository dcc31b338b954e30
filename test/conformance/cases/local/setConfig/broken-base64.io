// The parameter whose cell cannot be read is named.
>> {"jsonrpc":"2.0","id":1,"method":"local.setConfig","params":{"params":{"-999":"te6cckEBAQEAAgAAAEysuc0=","5":"%"}}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: failed to parse params.5 (expected an object from parameter number (int32) to a BoC in base64, or null to remove it)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"params","message":"failed to parse params.5","expected":"an object from parameter number (int32) to a BoC in base64, or null to remove it"}]}}}
