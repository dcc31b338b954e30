// An account with coins and without a contract.
>> {"jsonrpc":"2.0","id":1,"method":"getAddressState","params":{"address":"0:7777777777777777777777777777777777777777777777777777777777777777"}}
<< {"jsonrpc":"2.0","id":1,"result":"uninitialized"}
