// A type is one of four words.
// status: 422
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.staking.nominatorPools.validatorEvents","params":{"pool":"-1:f65ad7c13f44364e39c07e9d0fd308b1005a7b851e5fbdbca07bbe65f5daa752","type":"gift"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"type must be one of: reward, penalty, deposit, withdrawal","data":{"kind":"INVALID_PARAMS","issues":[{"param":"type","message":"type must be one of: reward, penalty, deposit, withdrawal","expected":"reward, penalty, deposit, withdrawal"}]}}}
