// A hash that is not that of the transaction.
// status: 500
>> {"jsonrpc":"2.0","id":1,"method":"v4.getAccountTransactionsParsed","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","lt":"9000001","hash":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"LITE_SERVER_UNKNOWN: transaction hash mismatch","data":{"kind":"CHAIN"}}}
