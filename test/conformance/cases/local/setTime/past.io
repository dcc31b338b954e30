// A time before the last block is refused.
>> {"jsonrpc":"2.0","id":1,"method":"local.setTime","params":{"utime":1}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"utime must not be before the time of the last block, 1700003017","data":{"kind":"INVALID_PARAMS"}}}
