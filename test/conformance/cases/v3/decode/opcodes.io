// Names of opcodes, in their order.
>> {"jsonrpc":"2.0","id":1,"method":"v3.decode","params":{"opcodes":["0x0f8a7ea5","595f07bc","0x99999999"]}}
<< {"jsonrpc":"2.0","id":1,"result":{"opcodes":["jetton_transfer","jetton_burn","unknown"],"bodies":[]}}
