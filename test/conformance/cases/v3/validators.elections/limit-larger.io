// A page has at most 1,000 rows.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.validators.elections","params":{"limit":1001}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"limit is not allowed: 1001 > 1000","data":{"kind":"INVALID_PARAMS","issues":[{"param":"limit","message":"limit is not allowed: 1001 > 1000","expected":"1 to 1000; less counts as 1"}]}}}
