// A body with a member is refused: the method takes none.
// status: 422
// speconly: any server
// only: POST, dialect, single, batch, ws, in process
>> {"jsonrpc":"2.0","id":1,"method":"getMasterchainInfo","params":{"seqno":1}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: unknown parameter 'seqno' (expected no parameters)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"seqno","message":"unknown parameter 'seqno'","expected":"no parameters"}]}}}
