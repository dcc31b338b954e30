// An account without a contract.
>> {"jsonrpc":"2.0","id":1,"method":"v3.walletInformation","params":{"address":"0:7777777777777777777777777777777777777777777777777777777777777777"}}
<< {"jsonrpc":"2.0","id":1,"result":{"balance":"1237007745380","last_transaction_lt":"139000006","last_transaction_hash":"RisOjtwsnNKnhfnHzFpCmU/J26Trpe1mms14YC1aZdc=","status":"uninit","suspended":false}}
