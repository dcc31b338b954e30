// A page has at most 1,000 rows.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.staking.nominatorPools.validatorEvents","params":{"pool":"-1:f65ad7c13f44364e39c07e9d0fd308b1005a7b851e5fbdbca07bbe65f5daa752","limit":1001}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"limit is not allowed: 1001 > 1000","data":{"kind":"INVALID_PARAMS","issues":[{"param":"limit","message":"limit is not allowed: 1001 > 1000","expected":"1 to 1000; less counts as 1"}]}}}
