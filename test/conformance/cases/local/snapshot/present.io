// A mark of the present; without a change it is the last one again.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.snapshot","params":{}}
<< {"jsonrpc":"2.0","id":1,"result":{"snapshot":"<snapshot>"}}
