// An election that never was is an empty list.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.validators.elections","params":{"election_id":5}}
<< {"jsonrpc":"2.0","id":1,"result":{"elections":[],"address_book":{}}}
