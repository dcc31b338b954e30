// An account or a message is required.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.pendingTraces","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"account or ext_msg_hash should be specified","data":{"kind":"INVALID_PARAMS","issues":[{"param":"params","message":"account or ext_msg_hash should be specified"}]}}}
