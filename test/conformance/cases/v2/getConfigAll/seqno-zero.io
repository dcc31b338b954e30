// A masterchain seqno begins at 1.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"getConfigAll","params":{"seqno":0}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"seqno should be positive","data":{"kind":"INVALID_PARAMS","issues":[{"param":"seqno","message":"seqno should be positive","expected":"32-bit integer, decimal from 1"}]}}}
