// A workchain that does not exist is refused.
>> {"jsonrpc":"2.0","id":1,"method":"local.fund","params":{"address":"5:1111111111111111111111111111111111111111111111111111111111111111","amount":"1"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"workchain 5 does not exist","data":{"kind":"INVALID_PARAMS"}}}
