// A shard is a signed decimal number here; hex is refused.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"lookupBlock","params":{"workchain":0,"shard":"8000000000000000x","seqno":5}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse shard","data":{"kind":"INVALID_PARAMS","issues":[{"param":"shard","message":"failed to parse shard","expected":"shard prefix with its terminating bit, signed 64-bit decimal, e.g. -9223372036854775808"}]}}}
