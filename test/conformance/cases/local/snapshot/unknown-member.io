// A member that the method does not take is refused.
>> {"jsonrpc":"2.0","id":1,"method":"local.snapshot","params":{"name":"x"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: unknown parameter 'name' (expected no parameters)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"name","message":"unknown parameter 'name'","expected":"no parameters"}]}}}
