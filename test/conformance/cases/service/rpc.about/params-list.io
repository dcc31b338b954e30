// Parameters have names; a list of them is refused.
// only: single, batch, ws
>> {"jsonrpc":"2.0","id":1,"method":"rpc.about","params":[1]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params must contain an object","data":{"kind":"INVALID_PARAMS"}}}
