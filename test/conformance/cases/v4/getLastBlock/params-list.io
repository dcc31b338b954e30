// Parameters have names; a list of them is refused.
// status: 422
// only: dialect, single, batch, ws
>> {"jsonrpc":"2.0","id":1,"method":"v4.getLastBlock","params":[1]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params must contain an object","data":{"kind":"INVALID_PARAMS"}}}
