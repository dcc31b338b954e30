// Only one of them may be given; in a query the first hides the second.
// status: 422
// any server
// only: POST, dialect, single, batch, ws, in process
>> {"jsonrpc":"2.0","id":1,"method":"getConfigParam","params":{"config_id":12,"param":12}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"only one of config_id or param should be specified","data":{"kind":"INVALID_PARAMS","issues":[{"param":"params","message":"only one of config_id or param should be specified"}]}}}
