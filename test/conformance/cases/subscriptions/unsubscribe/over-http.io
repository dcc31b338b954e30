// A subscription is of a WebSocket: over HTTP it is refused.
// only: single, batch
>> {"jsonrpc":"2.0","id":1,"method":"unsubscribe","params":{"subscription":"1"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"subscriptions need a WebSocket: connect to /jsonRPC with one, and call there","data":{"kind":"INVALID_REQUEST"}}}
