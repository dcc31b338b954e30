// An account is required.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.pendingTransactions","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"at least 1 account address required","data":{"kind":"INVALID_PARAMS","issues":[{"param":"params","message":"at least 1 account address required"}]}}}
