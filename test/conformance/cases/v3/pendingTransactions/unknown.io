// An account that never was: a 404.
// status: 404
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.pendingTransactions","params":{"account":["0:9999999999999999999999999999999999999999999999999999999999999999"]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"emulated traces not found","data":{"kind":"NOT_FOUND"}}}
