// Without a parameter it tells how it is.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.holdShardBlocks","params":{}}
<< {"jsonrpc":"2.0","id":1,"result":{"hold":false,"blocks":0}}
