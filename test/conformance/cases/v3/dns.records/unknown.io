// A name that nobody has is an empty list.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.dns.records","params":{"domain":"no-such-name-at-all.ton"}}
<< {"jsonrpc":"2.0","id":1,"result":{"records":[],"address_book":{}}}
