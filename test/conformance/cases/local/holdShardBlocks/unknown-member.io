// A member that the method does not take is refused.
>> {"jsonrpc":"2.0","id":1,"method":"local.holdShardBlocks","params":{"on":true}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: unknown parameter 'on' (expected hold)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"on","message":"unknown parameter 'on'","expected":"hold"}]}}}
