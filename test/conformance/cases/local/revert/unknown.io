// A mark that never was is not found.
>> {"jsonrpc":"2.0","id":1,"method":"local.revert","params":{"snapshot":"none"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"there is no snapshot none: it was never taken, or an earlier revert removed it","data":{"kind":"NOT_FOUND"}}}
