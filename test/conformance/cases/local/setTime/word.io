// A word in place of a number is refused.
>> {"jsonrpc":"2.0","id":1,"method":"local.setTime","params":{"utime":"noon"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: failed to parse utime (expected 32-bit integer, decimal from 0)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"utime","message":"failed to parse utime","expected":"32-bit integer, decimal from 0"}]}}}
