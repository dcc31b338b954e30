// The time is required.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"v4.getBlockByUtime","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"utime required (expected 32-bit integer, decimal)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"utime","message":"utime required","expected":"32-bit integer, decimal"}]}}}
