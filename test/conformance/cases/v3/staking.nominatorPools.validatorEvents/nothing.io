// A validator or a pool is required.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.staking.nominatorPools.validatorEvents","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"validator or pool parameter is required","data":{"kind":"INVALID_PARAMS","issues":[{"param":"params","message":"validator or pool parameter is required"}]}}}
