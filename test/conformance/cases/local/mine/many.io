// At most 100,000 blocks are made.
>> {"jsonrpc":"2.0","id":1,"method":"local.mine","params":{"count":100001}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to validate request: count should be less or equal 100000 (expected 32-bit integer, decimal from 1 to 100000)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"count","message":"count should be less or equal 100000","expected":"32-bit integer, decimal from 1 to 100000"}]}}}
