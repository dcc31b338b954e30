// A transaction, a hash or a block is required.
>> {"jsonrpc":"2.0","id":1,"method":"local.trace","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to validate request: exactly one of address with lt, hash, and after should be specified","data":{"kind":"INVALID_PARAMS","issues":[{"param":"params","message":"exactly one of address with lt, hash, and after should be specified"}]}}}
