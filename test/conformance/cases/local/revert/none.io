// The mark is required.
>> {"jsonrpc":"2.0","id":1,"method":"local.revert","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: snapshot required (expected text of at most 100 characters)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"snapshot","message":"snapshot required","expected":"text of at most 100 characters"}]}}}
