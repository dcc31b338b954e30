// An id of no trace is an empty list.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.traces","params":{"trace_id":["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]}}
<< {"jsonrpc":"2.0","id":1,"result":{"traces":[],"address_book":{},"metadata":{}}}
