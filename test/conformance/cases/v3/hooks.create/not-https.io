// A public address needs https.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"hooks.create","params":{"url":"http://1.1.1.1/","types":["blocks"]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"url: https is required; TONWAY_HOOKS_ALLOW allows hosts","data":{"kind":"INVALID_PARAMS"}}}
