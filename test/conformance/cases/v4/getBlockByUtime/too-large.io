// A time that does not fit 32 bits is refused.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"v4.getBlockByUtime","params":{"utime":"99999999999"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse utime (expected 32-bit integer, decimal)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"utime","message":"failed to parse utime","expected":"32-bit integer, decimal"}]}}}
