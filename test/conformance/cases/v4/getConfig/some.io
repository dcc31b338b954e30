// Two parameters of the configuration at block 1.
>> {"jsonrpc":"2.0","id":1,"method":"v4.getConfig","params":{"seqno":1,"ids":"0,15"}}
<< {"jsonrpc":"2.0","id":1,"result":{"exist":true,"config":{"cell":"te6cckEBBQEAQgACA85AAQIBAdwDAQH8BABAVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVUAIAABAAAAAIAAAAAgAAAAgAA7cgns","address":"Ef9VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVbxn","globalBalance":{"coins":"1002000001000000000"}}}}
