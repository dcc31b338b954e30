// A message that its account does not accept is refused by the chain.
// status: 500
>> {"jsonrpc":"2.0","id":1,"method":"v4.sendMessage","params":{"boc":"te6cckEBAQEAKQAATYgBB7+qpcxuU2jl+XmRiL15jNIuBKsW0djqT8N0gHQeY1AAAAAABLPan6A="}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"LITE_SERVER_UNKNOWN: cannot apply external message to current state : External message was not accepted\nCannot run message on account: inbound external message rejected by account 83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8 before smart-contract execution","data":{"kind":"CHAIN"}}}
