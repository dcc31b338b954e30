// The elector is no token on any network.
// status: 409
// any server
>> {"jsonrpc":"2.0","id":1,"method":"getTokenData","params":{"address":"-1:3333333333333333333333333333333333333333333333333333333333333333"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32009,"message":"Smart contract is not Jetton or NFT","data":{"kind":"NOT_A_TOKEN"}}}
