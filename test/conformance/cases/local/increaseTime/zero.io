// Time moves by at least a second.
>> {"jsonrpc":"2.0","id":1,"method":"local.increaseTime","params":{"seconds":0}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to validate request: seconds should be positive (expected 32-bit integer, decimal from 1)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"seconds","message":"seconds should be positive","expected":"32-bit integer, decimal from 1"}]}}}
