// A member that the method does not take is refused.
>> {"jsonrpc":"2.0","id":1,"method":"local.wallets","params":{"limit":1}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: unknown parameter 'limit' (expected no parameters)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"limit","message":"unknown parameter 'limit'","expected":"no parameters"}]}}}
