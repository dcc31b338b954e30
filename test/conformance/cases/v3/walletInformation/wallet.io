// A wallet and its seqno.
>> {"jsonrpc":"2.0","id":1,"method":"v3.walletInformation","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1"}}
<< {"jsonrpc":"2.0","id":1,"result":{"balance":"999996556286055","wallet_type":"wallet v4 r2","seqno":12,"wallet_id":698983191,"last_transaction_lt":"117000005","last_transaction_hash":"1Q35uXPdemc5YY0K1RRZ13cx44ntkjjJrZGaa+noywk=","status":"active","suspended":false}}
