// Of an address in the masterchain.
// any server
>> {"jsonrpc":"2.0","id":1,"method":"unpackAddress","params":{"address":"-1:3333333333333333333333333333333333333333333333333333333333333333"}}
<< {"jsonrpc":"2.0","id":1,"result":"-1:3333333333333333333333333333333333333333333333333333333333333333"}
