// Nothing is pending: a 404.
// status: 404
>> {"jsonrpc":"2.0","id":1,"method":"v3.pendingTransactions","params":{"account":["0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1"]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"emulated traces not found","data":{"kind":"NOT_FOUND"}}}
