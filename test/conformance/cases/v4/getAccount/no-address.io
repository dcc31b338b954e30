// A text that is no address is refused, and the parameter is named.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"v4.getAccount","params":{"seqno":5,"address":"nowhere"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse address (expected 48 characters of base64 or base64url with a right CRC16, or <workchain, -128 to 127>:<64 hex digits>)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"address","message":"failed to parse address","expected":"48 characters of base64 or base64url with a right CRC16, or <workchain, -128 to 127>:<64 hex digits>"}]}}}
