// The time is required.
>> {"jsonrpc":"2.0","id":1,"method":"local.setTime","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: utime required (expected 32-bit integer, decimal from 0)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"utime","message":"utime required","expected":"32-bit integer, decimal from 0"}]}}}
