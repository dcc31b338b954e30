// The message is required.
// status: 400
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"emulate.trace","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid request: boc is required","data":{"kind":"INVALID_PARAMS","issues":[{"param":"boc","message":"boc is required","expected":"bytes as standard padded base64, at least one"}]}}}
