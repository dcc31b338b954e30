// A page with validators has at most 100 cycles.
// status: 422
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.validators.cycles","params":{"return_validators":true,"limit":101}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"limit must not exceed 100 when return_validators is true","data":{"kind":"INVALID_PARAMS","issues":[{"param":"limit","message":"limit must not exceed 100 when return_validators is true"}]}}}
