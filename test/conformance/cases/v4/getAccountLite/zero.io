// A masterchain seqno begins at 1.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"v4.getAccountLite","params":{"seqno":0,"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"seqno should be positive (expected 32-bit integer, decimal from 1)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"seqno","message":"seqno should be positive","expected":"32-bit integer, decimal from 1"}]}}}
