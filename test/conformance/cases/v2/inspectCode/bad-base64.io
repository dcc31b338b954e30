// A text that is not base64 is refused.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"inspectCode","params":{"code":"%%"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: invalid base64 encoded bytes: code '%%' (expected bytes as standard padded base64)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"code","message":"invalid base64 encoded bytes: code '%%'","expected":"bytes as standard padded base64"}]}}}
