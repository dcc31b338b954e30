// A hash that is not of that logical time is an error of the chain.
// status: 500
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"getTransactionsStd","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","lt":"9000001","hash":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"LITE_SERVER_UNKNOWN: transaction hash mismatch","data":{"kind":"CHAIN"}}}
