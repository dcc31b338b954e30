// A text that is no number is refused, and the parameter is named.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"v4.getBlock","params":{"seqno":"one"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse seqno (expected 32-bit integer, decimal)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"seqno","message":"failed to parse seqno","expected":"32-bit integer, decimal"}]}}}
