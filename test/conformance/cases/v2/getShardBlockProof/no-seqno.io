// The seqno is required.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"getShardBlockProof","params":{"workchain":0,"shard":"-9223372036854775808"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"seqno required","data":{"kind":"INVALID_PARAMS","issues":[{"param":"seqno","message":"seqno required","expected":"32-bit integer, decimal from 1"}]}}}
