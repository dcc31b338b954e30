// A body with a member is refused: the method takes none.
// status: 422
// only: dialect, single, batch, ws
>> {"jsonrpc":"2.0","id":1,"method":"v4.getLastBlock","params":{"seqno":1}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"unknown parameter 'seqno' (expected no parameters)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"seqno","message":"unknown parameter 'seqno'","expected":"no parameters"}]}}}
