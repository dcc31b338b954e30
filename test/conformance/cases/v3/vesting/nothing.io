// An address is required.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.vesting","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"at least one of contract_address or wallet_address is required","data":{"kind":"INVALID_PARAMS","issues":[{"param":"params","message":"at least one of contract_address or wallet_address is required"}]}}}
