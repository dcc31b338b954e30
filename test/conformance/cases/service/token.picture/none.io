// A token whose picture was not fetched.
>> {"jsonrpc":"2.0","id":1,"method":"token.picture","params":{"address":"EQA5OM273uLtlz2sUR-QaIkm3xXT7KDFX4LqefhY6e4sy7LG"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"this token names a picture that is not shown: nothing off the chain is fetched here","data":{"kind":"NOT_FOUND"}}}
