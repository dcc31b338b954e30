// A method that the contract does not have ends with exit code 11, which is no error.
>> {"jsonrpc":"2.0","id":1,"method":"runGetMethodStd","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","method":"no_such_method","stack":[]}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"smc.runResult","gas_used":670,"stack":[{"@type":"tvm.stackEntryNumber","number":{"@type":"tvm.numberDecimal","number":"83753"}}],"exit_code":11}}
