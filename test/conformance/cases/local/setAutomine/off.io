// Messages wait for local.mine.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.setAutomine","params":{"automine":false}}
<< {"jsonrpc":"2.0","id":1,"result":{"automine":false}}
