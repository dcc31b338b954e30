// The message is required.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"sendBocReturnHashNoError","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"empty boc","data":{"kind":"INVALID_PARAMS","issues":[{"param":"boc","message":"empty boc","expected":"bytes as standard padded base64, at least one"}]}}}
