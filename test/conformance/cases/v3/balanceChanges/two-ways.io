// A transaction and a message cannot both be named.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"v3.balanceChanges","params":{"tx_hash":"fNj3cyfcqzOxl6ZGPQ1MrVECHdoVgZUf+Vcpd0qJ030=","msg_hash":"A2yqoJlfYR/B/jczBNNxNZc9ojhlzDB8ZYPBK1XE1t0="}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"one of trace_id, action_id, tx_hash, msg_hash is required","data":{"kind":"INVALID_PARAMS","issues":[{"param":"params","message":"one of trace_id, action_id, tx_hash, msg_hash is required"}]}}}
