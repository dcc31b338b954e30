// Only the type blocks needs no address.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"hooks.create","params":{"url":"https://1.1.1.1/","types":["transactions"]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"addresses are required: every type but blocks needs them","data":{"kind":"INVALID_PARAMS","issues":[{"param":"addresses","message":"addresses are required: every type but blocks needs them"}]}}}
