// A stake holder and an ADNL address may not be given together.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.validators.events","params":{"stake_holder_address":"-1:f65ad7c13f44364e39c07e9d0fd308b1005a7b851e5fbdbca07bbe65f5daa752","adnl_address":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"provide either stake_holder_address or adnl_address, not both","data":{"kind":"INVALID_PARAMS","issues":[{"param":"adnl_address","message":"provide either stake_holder_address or adnl_address, not both"}]}}}
