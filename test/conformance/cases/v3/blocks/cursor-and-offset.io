// A cursor and an offset both say where a page begins.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"v3.blocks","params":{"cursor":"","offset":1}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"cursor cannot be used with offset","data":{"kind":"INVALID_PARAMS","issues":[{"param":"cursor","message":"cursor cannot be used with offset"}]}}}
