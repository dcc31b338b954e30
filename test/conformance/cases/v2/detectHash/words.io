// Words are refused.
// status: 422
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"detectHash","params":{"hash":"not a hash"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: invalid hash: 'not a hash' (expected 32 bytes as base64 (44 characters), base64url (43 or 44) or 64 hex digits)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"hash","message":"invalid hash: 'not a hash'","expected":"32 bytes as base64 (44 characters), base64url (43 or 44) or 64 hex digits"}]}}}
