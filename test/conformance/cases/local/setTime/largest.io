// The last second of 31 bits is taken.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.setTime","params":{"utime":2147483647}}
<< {"jsonrpc":"2.0","id":1,"result":{"utime":2147483647}}
