// A list of tuples.
>> {"jsonrpc":"2.0","id":1,"method":"v3.runGetMethod","params":{"address":"-1:3333333333333333333333333333333333333333333333333333333333333333","method":"past_elections_list","stack":[]}}
<< {"jsonrpc":"2.0","id":1,"result":{"gas_used":2566,"exit_code":0,"stack":[{"type":"list","value":[{"type":"tuple","value":[{"type":"num","value":"0x6553fb32"},{"type":"num","value":"0x6554010e"},{"type":"num","value":"0x4037c721c3f065061df87a61bdf31f6faa4a7f7db76e0f60a15b7d60c599e241"},{"type":"num","value":"0x12c"}]}]}]}}
