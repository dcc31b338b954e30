// An account without transactions.
>> {"jsonrpc":"2.0","id":1,"method":"getTransactionsStd","params":{"address":"0:9999999999999999999999999999999999999999999999999999999999999999"}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"raw.transactions","transactions":[],"previous_transaction_id":{"@type":"internal.transactionId","lt":"0","hash":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}}}
