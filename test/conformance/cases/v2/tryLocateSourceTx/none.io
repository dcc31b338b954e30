// No transaction sent such a message.
// status: 404
>> {"jsonrpc":"2.0","id":1,"method":"tryLocateSourceTx","params":{"source":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","destination":"0:9999999999999999999999999999999999999999999999999999999999999999","created_lt":"9000002"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"transaction was not found","data":{"kind":"NOT_FOUND"}}}
