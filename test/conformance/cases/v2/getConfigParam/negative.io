// A number of a parameter is not negative.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"getConfigParam","params":{"config_id":-1}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"param should be non-negative","data":{"kind":"INVALID_PARAMS","issues":[{"param":"config_id","message":"param should be non-negative","expected":"32-bit integer, decimal from 0"}]}}}
