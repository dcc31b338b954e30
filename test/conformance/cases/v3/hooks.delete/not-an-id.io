// An id has the form of one.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"hooks.delete","params":{"id":"1"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to decode: failed to parse id (expected the id of a hook)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"id","message":"failed to parse id","expected":"the id of a hook"}]}}}
