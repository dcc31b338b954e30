// A type of arguments that does not exist is refused.
// status: 500
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.runGetMethod","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","method":"seqno","stack":[{"type":"builder","value":"te6cckEBAQEAAgAAAEysuc0="}]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"unsupported stack parameter type: builder","data":{"kind":"CHAIN","issues":[{"param":"stack","message":"unsupported stack parameter type: builder","expected":"an array of {type, value} with types num (decimal or 0x text), cell and slice (BoC in base64)"}]}}}
