// At an earlier masterchain block.
>> {"jsonrpc":"2.0","id":1,"method":"runGetMethodStd","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","method":"seqno","stack":[],"seqno":5}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"smc.runResult","gas_used":769,"stack":[{"@type":"tvm.stackEntryNumber","number":{"@type":"tvm.numberDecimal","number":"1"}}],"exit_code":0}}
