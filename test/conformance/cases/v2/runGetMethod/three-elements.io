// An entry has two elements.
// status: 422
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"runGetMethod","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","method":"seqno","stack":[["num","1","2"]]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: Expected 2 elements in stack entry, got: 3 (expected an array of [type, value] pairs with types num, tvm.Cell, tvm.Slice, cell, slice, tuple, list; entry 0 is none)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"stack","message":"Expected 2 elements in stack entry, got: 3","expected":"an array of [type, value] pairs with types num, tvm.Cell, tvm.Slice, cell, slice, tuple, list; entry 0 is none"}]}}}
