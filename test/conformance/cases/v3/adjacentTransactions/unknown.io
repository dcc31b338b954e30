// A hash of no transaction is a 404.
// status: 404
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.adjacentTransactions","params":{"hash":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"adjacent transactions not found","data":{"kind":"NOT_FOUND"}}}
