// The address is required.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"unpackAddress","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"empty address","data":{"kind":"INVALID_PARAMS","issues":[{"param":"address","message":"empty address","expected":"48 characters of base64 or base64url with a right CRC16, or <workchain, -128 to 127>:<64 hex digits>"}]}}}
