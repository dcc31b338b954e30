// The owner is required.
>> {"jsonrpc":"2.0","id":1,"method":"local.setJettonBalance","params":{"jetton":"EQA5OM273uLtlz2sUR-QaIkm3xXT7KDFX4LqefhY6e4sy7LG","balance":"1000"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"empty address","data":{"kind":"INVALID_PARAMS","issues":[{"param":"owner","message":"empty address","expected":"48 characters of base64 or base64url with a right CRC16, or <workchain, -128 to 127>:<64 hex digits>"}]}}}
