// An address is required.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.multisig.orders","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"At least one of address or multisig_address should be specified","data":{"kind":"INVALID_PARAMS","issues":[{"param":"params","message":"At least one of address or multisig_address should be specified"}]}}}
