// There is no such hash.
>> {"jsonrpc":"2.0","id":1,"method":"local.trace","params":{"hash":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"none of the newest 1000 blocks has a transaction or a message of the hash AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=","data":{"kind":"NOT_FOUND"}}}
