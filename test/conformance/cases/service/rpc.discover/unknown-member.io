// A member that the method does not take is refused.
>> {"jsonrpc":"2.0","id":1,"method":"rpc.discover","params":{"method":"x"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: unknown parameter 'method' (expected no parameters)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"method","message":"unknown parameter 'method'","expected":"no parameters"}]}}}
