// Something has to change.
>> {"jsonrpc":"2.0","id":1,"method":"local.setAccount","params":{"address":"0:9999999999999999999999999999999999999999999999999999999999999999"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to validate request: at least one of balance, code, data, library, tick, tock should be specified","data":{"kind":"INVALID_PARAMS","issues":[{"param":"params","message":"at least one of balance, code, data, library, tick, tock should be specified"}]}}}
