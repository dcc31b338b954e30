// A share is no number.
>> {"jsonrpc":"2.0","id":1,"method":"local.deployCollection","params":{"name":"x","royalty":0.05}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: royalty: Invalid input: expected object, received number","data":{"kind":"INVALID_PARAMS","issues":[{"param":"royalty","message":"royalty: Invalid input: expected object, received number"}]}}}
