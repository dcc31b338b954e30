// A text that is no hash is refused.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"getLibraries","params":{"libraries":["zz"]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse libraries","data":{"kind":"INVALID_PARAMS","issues":[{"param":"libraries","message":"failed to parse libraries","expected":"hash"}]}}}
