// A block that does not exist yet is told as such, without an error.
>> {"jsonrpc":"2.0","id":1,"method":"v4.getBlock","params":{"seqno":2000000000}}
<< {"jsonrpc":"2.0","id":1,"result":{"exist":false}}
