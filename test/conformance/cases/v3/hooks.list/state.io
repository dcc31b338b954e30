// The list has no filter by state.
// only: single, batch, ws
>> {"jsonrpc":"2.0","id":1,"method":"hooks.list","params":{"state":"paused"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to decode: unknown parameter 'state' (expected no parameters)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"state","message":"unknown parameter 'state'","expected":"no parameters"}]}}}
