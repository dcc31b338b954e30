// The body is required.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"inspectBody","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: body required (expected bytes as standard padded base64)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"body","message":"body required","expected":"bytes as standard padded base64"}]}}}
