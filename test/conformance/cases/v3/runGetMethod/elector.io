// The elector, which every network has.
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.runGetMethod","params":{"address":"-1:3333333333333333333333333333333333333333333333333333333333333333","method":"active_election_id","stack":[]}}
<< {"jsonrpc":"2.0","id":1,"result":{"gas_used":1292,"exit_code":0,"stack":[{"type":"num","value":"0x0"}]}}
