// A jetton says something of itself.
>> {"jsonrpc":"2.0","id":1,"method":"local.deployJetton","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to validate request: at least one of name, symbol, description, image, uri should be specified","data":{"kind":"INVALID_PARAMS","issues":[{"param":"params","message":"at least one of name, symbol, description, image, uri should be specified"}]}}}
