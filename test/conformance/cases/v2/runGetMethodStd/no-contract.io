// An account without a contract ends with exit code -13.
>> {"jsonrpc":"2.0","id":1,"method":"runGetMethodStd","params":{"address":"0:9999999999999999999999999999999999999999999999999999999999999999","method":"seqno","stack":[]}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"smc.runResult","gas_used":0,"stack":[{"@type":"tvm.stackEntryNumber","number":{"@type":"tvm.numberDecimal","number":"85143"}}],"exit_code":-13}}
