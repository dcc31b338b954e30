// A cycle that never was is an empty list.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.validators.cycles","params":{"cycle_start":5}}
<< {"jsonrpc":"2.0","id":1,"result":{"cycles":[],"address_book":{}}}
