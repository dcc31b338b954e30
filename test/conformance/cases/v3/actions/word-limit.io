// A word in place of a number is refused.
// status: 422
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.actions","params":{"limit":"many"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to decode: schema: error converting value for \"limit\" (expected 1 to 1000; less counts as 1)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"limit","message":"schema: error converting value for \"limit\"","expected":"1 to 1000; less counts as 1"}]}}}
