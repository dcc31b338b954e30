// The difference of the account that received a message from outside.
>> {"jsonrpc":"2.0","id":1,"method":"v3.balanceChanges","params":{"msg_hash":"A2yqoJlfYR/B/jczBNNxNZc9ojhlzDB8ZYPBK1XE1t0="}}
<< {"jsonrpc":"2.0","id":1,"result":{"changes":{"0:77362B5571E1FB968BFEF62FE13646011D95CB4C923DA4E398F61FD51A4DC4D1":-10394136},"fees":{"0:77362B5571E1FB968BFEF62FE13646011D95CB4C923DA4E398F61FD51A4DC4D1":394136},"jettons":{}}}
