// A hash of no message.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.pendingTraces","params":{"ext_msg_hash":["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]}}
<< {"jsonrpc":"2.0","id":1,"result":{"traces":[],"address_book":{},"metadata":{}}}
