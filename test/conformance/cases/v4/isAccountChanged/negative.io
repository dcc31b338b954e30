// A logical time is not negative.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"v4.isAccountChanged","params":{"seqno":9,"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","lt":"-1"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"lt should be non-negative (expected 64-bit integer, decimal from 0)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"lt","message":"lt should be non-negative","expected":"64-bit integer, decimal from 0"}]}}}
