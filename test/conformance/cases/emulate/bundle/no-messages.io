// A bundle has messages.
// status: 400
>> {"jsonrpc":"2.0","id":1,"method":"emulate.bundle","params":{"messages":[]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid request: messages: must be a list of 1 to 16 objects with boc and ignore_chksig","data":{"kind":"INVALID_PARAMS","issues":[{"param":"messages","message":"messages: must be a list of 1 to 16 objects with boc and ignore_chksig"}]}}}
