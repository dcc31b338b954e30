// Something has to be named.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"v3.balanceChanges","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"one of trace_id, action_id, tx_hash, msg_hash is required","data":{"kind":"INVALID_PARAMS","issues":[{"param":"params","message":"one of trace_id, action_id, tx_hash, msg_hash is required"}]}}}
