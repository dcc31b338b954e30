// A block that is not indexed is an empty list.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.blocks","params":{"root_hash":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}}
<< {"jsonrpc":"2.0","id":1,"result":{"blocks":[]}}
