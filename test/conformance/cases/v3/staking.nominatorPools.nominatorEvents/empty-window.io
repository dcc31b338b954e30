// A time that ends before it begins is refused.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.staking.nominatorPools.nominatorEvents","params":{"pool":"-1:f65ad7c13f44364e39c07e9d0fd308b1005a7b851e5fbdbca07bbe65f5daa752","start_utime":2,"end_utime":1}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"start_utime must be less than or equal to end_utime","data":{"kind":"INVALID_PARAMS","issues":[{"param":"start_utime","message":"start_utime must be less than or equal to end_utime"}]}}}
