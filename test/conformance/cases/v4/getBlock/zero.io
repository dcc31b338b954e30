// The zerostate is no block.
>> {"jsonrpc":"2.0","id":1,"method":"v4.getBlock","params":{"seqno":0}}
<< {"jsonrpc":"2.0","id":1,"result":{"exist":false}}
