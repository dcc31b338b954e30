// The method is required: 401 in this group.
// status: 401
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.runGetMethod","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","stack":[]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32011,"message":"method is required","data":{"kind":"MISSING_INPUT","issues":[{"param":"method","message":"method is required","expected":"name of a get-method"}]}}}
