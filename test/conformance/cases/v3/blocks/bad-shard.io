// A shard is hex or a decimal number.
// status: 422
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.blocks","params":{"workchain":0,"shard":"all"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to decode: schema: error converting value for \"shard\" (expected shard prefix with its terminating bit as up to 16 hex digits (8000000000000000), or signed decimal)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"shard","message":"schema: error converting value for \"shard\"","expected":"shard prefix with its terminating bit as up to 16 hex digits (8000000000000000), or signed decimal"}]}}}
