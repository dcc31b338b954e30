// A member that the method does not take is refused.
>> {"jsonrpc":"2.0","id":1,"method":"local.exportState","params":{"to":"x"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: unknown parameter 'to' (expected no parameters)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"to","message":"unknown parameter 'to'","expected":"no parameters"}]}}}
