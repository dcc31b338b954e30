// The name of a mark is a text.
>> {"jsonrpc":"2.0","id":1,"method":"local.revert","params":{"snapshot":1}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: failed to parse snapshot (expected text of at most 100 characters)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"snapshot","message":"failed to parse snapshot","expected":"text of at most 100 characters"}]}}}
