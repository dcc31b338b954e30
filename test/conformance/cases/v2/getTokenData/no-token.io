// A contract that is no token is a 409.
// status: 409
>> {"jsonrpc":"2.0","id":1,"method":"getTokenData","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32009,"message":"Smart contract is not Jetton or NFT","data":{"kind":"NOT_A_TOKEN"}}}
