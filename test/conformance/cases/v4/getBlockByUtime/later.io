// A time after the newest block: there is no such block yet.
>> {"jsonrpc":"2.0","id":1,"method":"v4.getBlockByUtime","params":{"utime":2147483647}}
<< {"jsonrpc":"2.0","id":1,"result":{"exist":false}}
