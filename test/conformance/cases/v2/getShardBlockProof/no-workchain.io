// The workchain is required.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"getShardBlockProof","params":{"shard":"-9223372036854775808","seqno":5}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"workchain required","data":{"kind":"INVALID_PARAMS","issues":[{"param":"workchain","message":"workchain required","expected":"32-bit integer, decimal"}]}}}
