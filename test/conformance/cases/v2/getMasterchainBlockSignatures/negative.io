// A negative seqno is refused.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"getMasterchainBlockSignatures","params":{"seqno":-5}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"seqno should be positive","data":{"kind":"INVALID_PARAMS","issues":[{"param":"seqno","message":"seqno should be positive","expected":"32-bit integer, decimal from 1"}]}}}
