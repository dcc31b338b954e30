// The seqno is required.
// status: 422
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.transactionsByMasterchainBlock","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to decode: seqno required (expected 32-bit integer, decimal)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"seqno","message":"seqno required","expected":"32-bit integer, decimal"}]}}}
