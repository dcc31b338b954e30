// The params may be left out.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.snapshot"}
<< {"jsonrpc":"2.0","id":1,"result":{"snapshot":"<snapshot>"}}
