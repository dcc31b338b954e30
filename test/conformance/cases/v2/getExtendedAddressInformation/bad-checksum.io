// A friendly address with a wrong checksum is refused.
// status: 422
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"getExtendedAddressInformation","params":{"address":"EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2M"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: Failed to parse ton_addr: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2M' (expected 48 characters of base64 or base64url with a right CRC16, or <workchain, -128 to 127>:<64 hex digits>; the CRC16 of this one is wrong, so a character is mistyped)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"address","message":"Failed to parse ton_addr: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2M'","expected":"48 characters of base64 or base64url with a right CRC16, or <workchain, -128 to 127>:<64 hex digits>; the CRC16 of this one is wrong, so a character is mistyped"}]}}}
