// The elector, which every network has.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"getAddressBalance","params":{"address":"-1:3333333333333333333333333333333333333333333333333333333333333333"}}
<< {"jsonrpc":"2.0","id":1,"result":"1000021431158341343"}
