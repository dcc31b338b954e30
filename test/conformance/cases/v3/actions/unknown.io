// An id of no action is an empty list.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.actions","params":{"action_id":["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]}}
<< {"jsonrpc":"2.0","id":1,"result":{"actions":[],"address_book":{},"metadata":{}}}
