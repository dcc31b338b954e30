// Arguments that are no stack are refused.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"v4.runMethod","params":{"seqno":5,"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","method":"seqno","args":"te6cckEBAQEAAgAAAEysuc0="}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"args is not a VmStack in a BoC: cannot read 24 bits: the slice has 0 left","data":{"kind":"INVALID_PARAMS","issues":[{"param":"args","message":"args is not a VmStack in a BoC: cannot read 24 bits: the slice has 0 left"}]}}}
