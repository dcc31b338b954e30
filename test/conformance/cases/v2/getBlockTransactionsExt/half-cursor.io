// after_lt and after_hash belong together.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"getBlockTransactionsExt","params":{"workchain":0,"shard":"-9223372036854775808","seqno":5,"after_lt":"1"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"after_lt and after_hash should be used together","data":{"kind":"INVALID_PARAMS","issues":[{"param":"params","message":"after_lt and after_hash should be used together"}]}}}
