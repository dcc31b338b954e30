// The method is required.
// status: 422
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"runGetMethod","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","stack":[]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: method required (expected name of a get-method, or its number as int32)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"method","message":"method required","expected":"name of a get-method, or its number as int32"}]}}}
