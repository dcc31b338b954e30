// An account that is no funded wallet has no key here.
>> {"jsonrpc":"2.0","id":1,"method":"local.signTransfer","params":{"from":"EQA5OM273uLtlz2sUR-QaIkm3xXT7KDFX4LqefhY6e4sy7LG","to":"0:7777777777777777777777777777777777777777777777777777777777777777","amount":"1"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"from is not a funded wallet of this chain","data":{"kind":"INVALID_PARAMS"}}}
