// An account without transactions.
>> {"jsonrpc":"2.0","id":1,"method":"getTransactions","params":{"address":"0:9999999999999999999999999999999999999999999999999999999999999999"}}
<< {"jsonrpc":"2.0","id":1,"result":[]}
