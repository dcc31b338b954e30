// The message is required.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"v4.sendMessage","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"empty boc (expected bytes as standard padded base64, at least one)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"boc","message":"empty boc","expected":"bytes as standard padded base64, at least one"}]}}}
