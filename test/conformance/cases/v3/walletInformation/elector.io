// The elector is no wallet on any network.
// status: 409
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.walletInformation","params":{"address":"-1:3333333333333333333333333333333333333333333333333333333333333333"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32010,"message":"not a wallet","data":{"kind":"NOT_A_WALLET"}}}
