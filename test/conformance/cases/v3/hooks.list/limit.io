// The list has no pages, because an owner has at most 100 hooks.
// only: single, batch, ws
>> {"jsonrpc":"2.0","id":1,"method":"hooks.list","params":{"limit":5}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to decode: unknown parameter 'limit' (expected no parameters)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"limit","message":"unknown parameter 'limit'","expected":"no parameters"}]}}}
