// A trace that is not in the index is an error.
// status: 404
>> {"jsonrpc":"2.0","id":1,"method":"v3.balanceChanges","params":{"trace_id":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"trace not found","data":{"kind":"NOT_FOUND"}}}
