// The address is required: 401 in this group.
// status: 401
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.walletInformation","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32011,"message":"address of account is required","data":{"kind":"MISSING_INPUT","issues":[{"param":"address","message":"address of account is required","expected":"48 characters of base64 or base64url with a right CRC16, or <workchain, -128 to 127>:<64 hex digits>"}]}}}
