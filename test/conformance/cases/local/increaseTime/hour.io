// The next block is an hour later.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.setTime","params":{"utime":1800000000}}
<< {"jsonrpc":"2.0","id":1,"result":{"utime":1800000000}}
>> {"jsonrpc":"2.0","id":2,"method":"local.increaseTime","params":{"seconds":3600}}
<< {"jsonrpc":"2.0","id":2,"result":{"utime":1800003600}}
