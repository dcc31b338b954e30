// One of config_id and param is required.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"getConfigParam","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"only one of config_id or param should be specified","data":{"kind":"INVALID_PARAMS","issues":[{"param":"params","message":"only one of config_id or param should be specified"}]}}}
