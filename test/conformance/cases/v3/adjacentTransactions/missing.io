// The hash is required.
// status: 422
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.adjacentTransactions","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to decode: hash required (expected 32 bytes as 64 hex digits (0x before them or not), base64 or base64url)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"hash","message":"hash required","expected":"32 bytes as 64 hex digits (0x before them or not), base64 or base64url"}]}}}
