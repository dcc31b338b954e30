// A page with participants has at most 100 elections.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.validators.elections","params":{"return_participants":true,"limit":101}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"limit must not exceed 100 when return_participants is true","data":{"kind":"INVALID_PARAMS","issues":[{"param":"limit","message":"limit must not exceed 100 when return_participants is true"}]}}}
