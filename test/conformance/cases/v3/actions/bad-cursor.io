// A text that is no cursor is refused.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.actions","params":{"cursor":"zz"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid cursor","data":{"kind":"INVALID_PARAMS","issues":[{"param":"cursor","message":"invalid cursor"}]}}}
