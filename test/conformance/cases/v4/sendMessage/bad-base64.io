// A text that is not base64 is refused.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"v4.sendMessage","params":{"boc":"%%"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid base64 encoded bytes: boc '%%' (expected bytes as standard padded base64, at least one)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"boc","message":"invalid base64 encoded bytes: boc '%%'","expected":"bytes as standard padded base64, at least one"}]}}}
