// The nominator is required.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.staking.nominatorPools.nominatorRewards","params":{"pool":"-1:f65ad7c13f44364e39c07e9d0fd308b1005a7b851e5fbdbca07bbe65f5daa752"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"nominator and pool parameters are required","data":{"kind":"INVALID_PARAMS","issues":[{"param":"nominator","message":"nominator and pool parameters are required","expected":"48 characters of base64 or base64url with a right CRC16, or <workchain, -128 to 127>:<64 hex digits>"}]}}}
