// Messages are put into a block at once.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.setAutomine","params":{"automine":true}}
<< {"jsonrpc":"2.0","id":1,"result":{"automine":true}}
