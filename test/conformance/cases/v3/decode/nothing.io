// Nothing is asked.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.decode","params":{}}
<< {"jsonrpc":"2.0","id":1,"result":{"opcodes":[],"bodies":[]}}
