// A hook that is not there cannot be tested.
// status: 404
>> {"jsonrpc":"2.0","id":1,"method":"hooks.test","params":{"id":"hook_VGhpcyBpcyBhIGhvb2s"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"there is no such hook","data":{"kind":"NOT_FOUND"}}}
