// The stack is required; it may be empty.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"runGetMethod","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","method":"seqno"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Stack should be array","data":{"kind":"INVALID_PARAMS","issues":[{"param":"stack","message":"Stack should be array","expected":"an array of [type, value] pairs with types num, tvm.Cell, tvm.Slice, cell, slice, tuple, list"}]}}}
