// The id of a subscription has digits only.
// only: single, batch, ws
>> {"jsonrpc":"2.0","id":1,"method":"unsubscribe","params":{"subscription":"mine"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to decode: subscription must be the id that subscribe returned (expected the id of a subscription)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"subscription","message":"subscription must be the id that subscribe returned","expected":"the id of a subscription"}]}}}
