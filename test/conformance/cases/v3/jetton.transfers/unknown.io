// Transfers of nobody are an empty list.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.jetton.transfers","params":{"owner_address":["0:9999999999999999999999999999999999999999999999999999999999999999"]}}
<< {"jsonrpc":"2.0","id":1,"result":{"jetton_transfers":[],"address_book":{},"metadata":{}}}
