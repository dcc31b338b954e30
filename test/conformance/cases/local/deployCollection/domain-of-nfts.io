// A domain is for names alone.
>> {"jsonrpc":"2.0","id":1,"method":"local.deployCollection","params":{"name":"x","domain":"ton"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to validate request: domain is for the kind dns only","data":{"kind":"INVALID_PARAMS","issues":[{"param":"params","message":"domain is for the kind dns only"}]}}}
