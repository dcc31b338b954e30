// A hash of no message is an empty list.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.transactionsByMessage","params":{"msg_hash":["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]}}
<< {"jsonrpc":"2.0","id":1,"result":{"transactions":[],"address_book":{}}}
