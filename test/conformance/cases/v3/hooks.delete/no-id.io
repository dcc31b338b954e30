// The id is required.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"hooks.delete","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to decode: id required (expected the id of a hook)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"id","message":"id required","expected":"the id of a hook"}]}}}
