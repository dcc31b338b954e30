// A page has at most 1,024 rows.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.topAccountsByBalance","params":{"limit":1025}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"limit is not allowed: 1025 > 1024","data":{"kind":"INVALID_PARAMS","issues":[{"param":"limit","message":"limit is not allowed: 1025 > 1024","expected":"1 to 1024; less counts as 1"}]}}}
