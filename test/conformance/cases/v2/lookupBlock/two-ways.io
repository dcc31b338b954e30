// Only one of seqno, lt and unixtime says which block.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"lookupBlock","params":{"workchain":0,"shard":"-9223372036854775808","seqno":5,"lt":"9000001"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"exactly one of seqno, lt, unixtime should be specified","data":{"kind":"INVALID_PARAMS","issues":[{"param":"params","message":"exactly one of seqno, lt, unixtime should be specified"}]}}}
