// An account with coins and without a contract.
>> {"jsonrpc":"2.0","id":1,"method":"getWalletInformation","params":{"address":"0:7777777777777777777777777777777777777777777777777777777777777777"}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"ext.accounts.walletInformation","wallet":false,"balance":"1237007745380","account_state":"uninitialized","last_transaction_id":{"@type":"internal.transactionId","lt":"139000006","hash":"RisOjtwsnNKnhfnHzFpCmU/J26Trpe1mms14YC1aZdc="}}}
