// A stake holder without events has an empty list.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.validators.events","params":{"stake_holder_address":"0:9999999999999999999999999999999999999999999999999999999999999999"}}
<< {"jsonrpc":"2.0","id":1,"result":{"events":[],"address_book":{}}}
