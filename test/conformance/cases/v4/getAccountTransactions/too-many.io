// At most 100 transactions.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"v4.getAccountTransactions","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","lt":"9000001","hash":"G5lJT18oA9FGCZemrfTOU97ZMYPpunuEhSi9W3Nb5ao=","count":101}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"count should be less or equal 100 (expected 64-bit integer, decimal from 1 to 100)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"count","message":"count should be less or equal 100","expected":"64-bit integer, decimal from 1 to 100"}]}}}
