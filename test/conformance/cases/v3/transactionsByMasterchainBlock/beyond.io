// A masterchain block that is not indexed is a 404.
// status: 404
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.transactionsByMasterchainBlock","params":{"seqno":2000000000}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"masterchain block 2000000000 not found","data":{"kind":"NOT_FOUND"}}}
