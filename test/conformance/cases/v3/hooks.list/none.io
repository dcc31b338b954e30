// A caller without hooks has an empty list.
>> {"jsonrpc":"2.0","id":1,"method":"hooks.list","params":{}}
<< {"jsonrpc":"2.0","id":1,"result":{"hooks":[]}}
