// One hook is tested at a time.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"hooks.test","params":{"id":["hook_VGhpcyBpcyBhIGhvb2s","hook_VGhpcyBpcyBhIGhvb2s"]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to decode: id takes one value, not a list (expected the id of a hook)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"id","message":"id takes one value, not a list","expected":"the id of a hook"}]}}}
