// A type of entries that does not exist is a 542.
// status: 542
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"runGetMethod","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","method":"seqno","stack":[["tvm.Builder","te6cckEBAQEAAgAAAEysuc0="]]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32092,"message":"Unsupported stack entry type: tvm.Builder","data":{"kind":"UNSUPPORTED_STACK","issues":[{"param":"stack","message":"Unsupported stack entry type: tvm.Builder","expected":"an array of [type, value] pairs with types num, tvm.Cell, tvm.Slice, cell, slice, tuple, list; entry 0 is none"}]}}}
