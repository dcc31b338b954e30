// A word in place of the seqno is refused.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"getConfigAll","params":{"seqno":"last"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse seqno","data":{"kind":"INVALID_PARAMS","issues":[{"param":"seqno","message":"failed to parse seqno","expected":"32-bit integer, decimal from 1"}]}}}
