// An address of no jetton is an empty list.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.jetton.masters","params":{"address":["0:9999999999999999999999999999999999999999999999999999999999999999"]}}
<< {"jsonrpc":"2.0","id":1,"result":{"jetton_masters":[],"address_book":{},"metadata":{}}}
