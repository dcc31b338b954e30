// sort is asc or desc.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.traces","params":{"sort":"up"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"wrong value for sort parameter","data":{"kind":"INVALID_PARAMS","issues":[{"param":"sort","message":"wrong value for sort parameter","expected":"asc or desc"}]}}}
