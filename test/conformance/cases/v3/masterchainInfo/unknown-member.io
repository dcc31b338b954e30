// A body with a member that the method does not take is refused.
// status: 422
// only: dialect, single, batch, ws, in process
>> {"jsonrpc":"2.0","id":1,"method":"v3.masterchainInfo","params":{"seqno":1}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to decode: unknown parameter 'seqno' (expected x_timeout)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"seqno","message":"unknown parameter 'seqno'","expected":"x_timeout"}]}}}
