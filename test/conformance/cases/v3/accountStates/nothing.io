// An address is required.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.accountStates","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"address of account is required","data":{"kind":"INVALID_PARAMS","issues":[{"param":"address","message":"address of account is required"}]}}}
