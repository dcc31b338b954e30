// An account that does not exist: balance 0, no transactions, uninitialized.
>> {"jsonrpc":"2.0","id":1,"method":"getWalletInformation","params":{"address":"0:9999999999999999999999999999999999999999999999999999999999999999"}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"ext.accounts.walletInformation","wallet":false,"balance":"0","account_state":"uninitialized","last_transaction_id":{"@type":"internal.transactionId","lt":"0","hash":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}}}
