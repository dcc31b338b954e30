// The shard is required.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"getShardBlockProof","params":{"workchain":0,"seqno":5}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"shard required","data":{"kind":"INVALID_PARAMS","issues":[{"param":"shard","message":"shard required","expected":"shard prefix with its terminating bit, signed 64-bit decimal, e.g. -9223372036854775808"}]}}}
