// An address is required.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.walletStates","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"address of account is required","data":{"kind":"INVALID_PARAMS","issues":[{"param":"address","message":"address of account is required","expected":"one or more: 48 characters of base64 or base64url with a right CRC16, or <workchain, -128 to 127>:<64 hex digits>; as repeated names, as an array or separated by commas; at most 1000"}]}}}
