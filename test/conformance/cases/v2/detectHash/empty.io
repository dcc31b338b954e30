// An empty text is refused; in a query it counts as none.
// status: 422
// speconly: any server
// only: POST, dialect, single, batch, ws, in process
>> {"jsonrpc":"2.0","id":1,"method":"detectHash","params":{"hash":""}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: invalid hash: '' (expected 32 bytes as base64 (44 characters), base64url (43 or 44) or 64 hex digits)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"hash","message":"invalid hash: ''","expected":"32 bytes as base64 (44 characters), base64url (43 or 44) or 64 hex digits"}]}}}
