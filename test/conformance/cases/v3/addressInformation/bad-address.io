// A text that is no address is refused.
// status: 422
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.addressInformation","params":{"address":"nowhere"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to decode: schema: error converting value for \"address\" (expected 48 characters of base64 or base64url with a right CRC16, or <workchain, -128 to 127>:<64 hex digits>)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"address","message":"schema: error converting value for \"address\"","expected":"48 characters of base64 or base64url with a right CRC16, or <workchain, -128 to 127>:<64 hex digits>"}]}}}
