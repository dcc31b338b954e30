// There is no such transaction.
>> {"jsonrpc":"2.0","id":1,"method":"trace.transaction","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","lt":"9000009"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"the account 0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1 has no transaction at lt 9000009","data":{"kind":"NOT_FOUND"}}}
