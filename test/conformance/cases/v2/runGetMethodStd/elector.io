// The elector, which every network has.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"runGetMethodStd","params":{"address":"-1:3333333333333333333333333333333333333333333333333333333333333333","method":"active_election_id","stack":[]}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"smc.runResult","gas_used":1292,"stack":[{"@type":"tvm.stackEntryNumber","number":{"@type":"tvm.numberDecimal","number":"0"}}],"exit_code":0}}
