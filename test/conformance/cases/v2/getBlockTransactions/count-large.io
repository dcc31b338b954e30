// A page has at most 10,000 transactions.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"getBlockTransactions","params":{"workchain":0,"shard":"-9223372036854775808","seqno":5,"count":10001}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"count should be less or equal 10000","data":{"kind":"INVALID_PARAMS","issues":[{"param":"count","message":"count should be less or equal 10000","expected":"64-bit integer, decimal from 1 to 10000"}]}}}
