// An entry names its type at every level.
// status: 422
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"runGetMethodStd","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","method":"seqno","stack":[{"number":"1"}]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: Invalid stack entry, object with @type tvm.stackEntry* expected (expected an array of tvm.stackEntry* objects; entry 0 is none)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"stack","message":"Invalid stack entry, object with @type tvm.stackEntry* expected","expected":"an array of tvm.stackEntry* objects; entry 0 is none"}]}}}
