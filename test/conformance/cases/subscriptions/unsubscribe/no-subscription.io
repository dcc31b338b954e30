// The subscription is required.
// only: single, batch, ws
>> {"jsonrpc":"2.0","id":1,"method":"unsubscribe","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to decode: subscription is required (expected the id of a subscription)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"subscription","message":"subscription is required","expected":"the id of a subscription"}]}}}
