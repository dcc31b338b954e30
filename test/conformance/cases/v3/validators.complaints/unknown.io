// A cycle without complaints is an empty list.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.validators.complaints","params":{"cycle_start":5}}
<< {"jsonrpc":"2.0","id":1,"result":{"complaints":[],"address_book":{}}}
