// An account that does not exist is an empty list.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.accountStates","params":{"address":["0:9999999999999999999999999999999999999999999999999999999999999999"]}}
<< {"jsonrpc":"2.0","id":1,"result":{"accounts":[],"address_book":{},"metadata":{}}}
