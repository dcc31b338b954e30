// A private address is refused unless the operator allows it.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"hooks.create","params":{"url":"https://10.0.0.1/","types":["blocks"]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"url: 10.0.0.1 has no public address; TONWAY_HOOKS_ALLOW allows hosts","data":{"kind":"INVALID_PARAMS"}}}
