// The list is that of the caller, whoever is named.
// only: single, batch, ws
>> {"jsonrpc":"2.0","id":1,"method":"hooks.list","params":{"owner":"somebody"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to decode: unknown parameter 'owner' (expected no parameters)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"owner","message":"unknown parameter 'owner'","expected":"no parameters"}]}}}
