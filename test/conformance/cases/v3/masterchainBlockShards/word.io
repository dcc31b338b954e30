// A word in place of the seqno is refused.
// status: 422
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.masterchainBlockShards","params":{"seqno":"last"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to decode: schema: error converting value for \"seqno\" (expected 32-bit integer, decimal)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"seqno","message":"schema: error converting value for \"seqno\"","expected":"32-bit integer, decimal"}]}}}
