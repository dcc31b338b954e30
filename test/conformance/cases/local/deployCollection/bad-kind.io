// A kind is nft, sbt or dns.
>> {"jsonrpc":"2.0","id":1,"method":"local.deployCollection","params":{"kind":"art","name":"x"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: kind: Invalid option: expected one of \"nft\"|\"sbt\"|\"dns\"","data":{"kind":"INVALID_PARAMS","issues":[{"param":"kind","message":"kind: Invalid option: expected one of \"nft\"|\"sbt\"|\"dns\""}]}}}
