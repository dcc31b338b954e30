// An address of no vesting is an empty list.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.vesting","params":{"contract_address":["0:9999999999999999999999999999999999999999999999999999999999999999"]}}
<< {"jsonrpc":"2.0","id":1,"result":{"vesting_contracts":[],"address_book":{}}}
