// A page has at least one transaction.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"getBlockTransactions","params":{"workchain":0,"shard":"-9223372036854775808","seqno":5,"count":0}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"count should be positive","data":{"kind":"INVALID_PARAMS","issues":[{"param":"count","message":"count should be positive","expected":"64-bit integer, decimal from 1 to 10000"}]}}}
