// An account that does not exist: balance 0, no transactions, uninitialized.
>> {"jsonrpc":"2.0","id":1,"method":"getAddressBalance","params":{"address":"0:9999999999999999999999999999999999999999999999999999999999999999"}}
<< {"jsonrpc":"2.0","id":1,"result":"0"}
