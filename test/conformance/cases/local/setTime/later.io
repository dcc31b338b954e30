// The next block has this time.
// changes the chain
>> {"jsonrpc":"2.0","id":1,"method":"local.setTime","params":{"utime":1800000000}}
<< {"jsonrpc":"2.0","id":1,"result":{"utime":1800000000}}
