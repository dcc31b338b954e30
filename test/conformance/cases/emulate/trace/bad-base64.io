// A text that is not base64 is refused.
// status: 400
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"emulate.trace","params":{"boc":"%%"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid request: invalid boc: illegal base64 data at input byte 0","data":{"kind":"INVALID_PARAMS","issues":[{"param":"boc","message":"invalid boc: illegal base64 data at input byte 0","expected":"bytes as standard padded base64, at least one"}]}}}
