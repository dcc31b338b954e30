// A hash of no transaction is an empty list.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.transactions","params":{"hash":["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]}}
<< {"jsonrpc":"2.0","id":1,"result":{"transactions":[],"address_book":{}}}
