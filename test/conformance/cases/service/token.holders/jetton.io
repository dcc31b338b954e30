// How many hold a jetton.
>> {"jsonrpc":"2.0","id":1,"method":"token.holders","params":{"address":"EQA5OM273uLtlz2sUR-QaIkm3xXT7KDFX4LqefhY6e4sy7LG"}}
<< {"jsonrpc":"2.0","id":1,"result":{"holders":3,"more":false}}
