// An address of no jetton wallet is an empty list.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.jetton.wallets","params":{"address":["0:9999999999999999999999999999999999999999999999999999999999999999"]}}
<< {"jsonrpc":"2.0","id":1,"result":{"jetton_wallets":[],"address_book":{},"metadata":{}}}
