// An account that does not exist has no coins and no transaction.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.addressInformation","params":{"address":"0:9999999999999999999999999999999999999999999999999999999999999999"}}
<< {"jsonrpc":"2.0","id":1,"result":{"balance":"0","code":null,"data":null,"last_transaction_lt":"0","last_transaction_hash":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=","frozen_hash":null,"status":"uninit","suspended":false}}
