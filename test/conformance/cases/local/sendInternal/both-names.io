// Only one of them may be given.
>> {"jsonrpc":"2.0","id":1,"method":"local.sendInternal","params":{"from":"0:9999999999999999999999999999999999999999999999999999999999999999","to":"0:7777777777777777777777777777777777777777777777777777777777777777","amount":"1","value":"1"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to validate request: exactly one of amount and value should be specified","data":{"kind":"INVALID_PARAMS","issues":[{"param":"amount","message":"exactly one of amount and value should be specified"}]}}}
