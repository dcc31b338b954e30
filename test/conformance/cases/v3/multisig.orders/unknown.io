// An address of no order is an empty list.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.multisig.orders","params":{"address":["0:9999999999999999999999999999999999999999999999999999999999999999"]}}
<< {"jsonrpc":"2.0","id":1,"result":{"orders":[],"address_book":{}}}
