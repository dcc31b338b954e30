// A text that is no hash is refused.
// status: 422
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.traces","params":{"tx_hash":["zz"]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to decode: schema: error converting value for index 0 of \"tx_hash\" (expected 32 bytes as 64 hex digits (0x before them or not), base64 or base64url)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"tx_hash","message":"schema: error converting value for index 0 of \"tx_hash\"","expected":"32 bytes as 64 hex digits (0x before them or not), base64 or base64url"}]}}}
