// An address of no jetton has no holders.
>> {"jsonrpc":"2.0","id":1,"method":"token.holders","params":{"address":"0:9999999999999999999999999999999999999999999999999999999999999999"}}
<< {"jsonrpc":"2.0","id":1,"result":{"holders":0,"more":false}}
