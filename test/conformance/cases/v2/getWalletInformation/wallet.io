// A wallet v4 that has sent messages.
>> {"jsonrpc":"2.0","id":1,"method":"getWalletInformation","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1"}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"ext.accounts.walletInformation","wallet":true,"balance":"999996556286055","account_state":"active","last_transaction_id":{"@type":"internal.transactionId","lt":"117000005","hash":"1Q35uXPdemc5YY0K1RRZ13cx44ntkjjJrZGaa+noywk="},"wallet_type":"wallet v4 r2","seqno":12,"wallet_id":698983191}}
