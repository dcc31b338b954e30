// The elector, which every network has.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"getAddressState","params":{"address":"-1:3333333333333333333333333333333333333333333333333333333333333333"}}
<< {"jsonrpc":"2.0","id":1,"result":"active"}
