// The seqno of a wallet.
>> {"jsonrpc":"2.0","id":1,"method":"v3.runGetMethod","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","method":"seqno","stack":[]}}
<< {"jsonrpc":"2.0","id":1,"result":{"gas_used":769,"exit_code":0,"stack":[{"type":"num","value":"0xc"}]}}
