// A text that is no address is refused, and named.
// status: 422
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"getAddressBalance","params":{"address":"nowhere"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: Failed to parse ton_addr: 'nowhere' (expected 48 characters of base64 or base64url with a right CRC16, or <workchain, -128 to 127>:<64 hex digits>)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"address","message":"Failed to parse ton_addr: 'nowhere'","expected":"48 characters of base64 or base64url with a right CRC16, or <workchain, -128 to 127>:<64 hex digits>"}]}}}
