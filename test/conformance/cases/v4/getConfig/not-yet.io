// A block that does not exist yet is not found.
// status: 404
>> {"jsonrpc":"2.0","id":1,"method":"v4.getConfig","params":{"seqno":2000000000}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"seqno: there is no block 2000000000; the newest is 142","data":{"kind":"NOT_FOUND"}}}
