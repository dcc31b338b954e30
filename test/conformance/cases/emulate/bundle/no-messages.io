// A bundle has messages.
// status: 400
>> {"jsonrpc":"2.0","id":1,"method":"emulate.bundle","params":{"messages":[]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid request: messages: Too small: expected array to have >=1 items","data":{"kind":"INVALID_PARAMS","issues":[{"param":"messages","message":"messages: Too small: expected array to have >=1 items"}]}}}
