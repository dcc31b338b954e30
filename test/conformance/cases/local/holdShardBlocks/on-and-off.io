// New blocks are held back, and then come into the chain.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.holdShardBlocks","params":{"hold":true}}
<< {"jsonrpc":"2.0","id":1,"result":{"hold":true,"blocks":0}}
>> {"jsonrpc":"2.0","id":1,"method":"local.holdShardBlocks","params":{"hold":false}}
<< {"jsonrpc":"2.0","id":1,"result":{"hold":false,"blocks":0}}
