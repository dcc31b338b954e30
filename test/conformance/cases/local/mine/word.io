// A word in place of a number is refused.
>> {"jsonrpc":"2.0","id":1,"method":"local.mine","params":{"count":"many"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: failed to parse count (expected 32-bit integer, decimal from 1 to 100000)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"count","message":"failed to parse count","expected":"32-bit integer, decimal from 1 to 100000"}]}}}
