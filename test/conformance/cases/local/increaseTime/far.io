// A time has 32 bits.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.increaseTime","params":{"seconds":2147483647}}
<< {"jsonrpc":"2.0","id":1,"result":{"utime":3847486671}}
