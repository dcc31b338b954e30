// At least one block is made.
>> {"jsonrpc":"2.0","id":1,"method":"local.mine","params":{"count":0}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"count should be positive","data":{"kind":"INVALID_PARAMS","issues":[{"param":"count","message":"count should be positive","expected":"32-bit integer, decimal from 1 to 100000"}]}}}
