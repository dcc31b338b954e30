// Parameters that are not set are not found.
// status: 404
>> {"jsonrpc":"2.0","id":1,"method":"v4.getConfig","params":{"seqno":1,"ids":"4000"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"ids: the configuration has no parameter 4000","data":{"kind":"NOT_FOUND"}}}
