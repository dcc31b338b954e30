// The seconds are required.
>> {"jsonrpc":"2.0","id":1,"method":"local.increaseTime","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: seconds required (expected 32-bit integer, decimal from 1)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"seconds","message":"seconds required","expected":"32-bit integer, decimal from 1"}]}}}
