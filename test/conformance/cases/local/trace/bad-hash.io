// A text that is no hash is refused.
>> {"jsonrpc":"2.0","id":1,"method":"local.trace","params":{"hash":"zz"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse hash","data":{"kind":"INVALID_PARAMS","issues":[{"param":"hash","message":"failed to parse hash","expected":"32 bytes as base64 (44 characters), base64url (43 or 44) or 64 hex digits"}]}}}
