// lt and hash belong together.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"getTransactions","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","lt":"9000001"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"lt and hash should be used together","data":{"kind":"INVALID_PARAMS","issues":[{"param":"params","message":"lt and hash should be used together"}]}}}
