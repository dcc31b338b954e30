// The state at an earlier masterchain block.
>> {"jsonrpc":"2.0","id":1,"method":"getWalletInformation","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","seqno":5}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"ext.accounts.walletInformation","wallet":true,"balance":"999998749197262","account_state":"active","last_transaction_id":{"@type":"internal.transactionId","lt":"9000006","hash":"2kTyN5lVogLe8ThZeNhwuaQdhax31Yb2EBiHV+CQCCA="},"wallet_type":"wallet v4 r2","seqno":1,"wallet_id":698983191}}
