// A currency has a number.
// status: 400
>> {"jsonrpc":"2.0","id":1,"method":"emulate.bundle","params":{"messages":[{"boc":"te6cckEBAQEAKQAATYgBB7+qpcxuU2jl+XmRiL15jNIuBKsW0djqT8N0gHQeY1AAAAAABLPan6A="}],"overrides":[{"address":"0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8","extra_currencies":{"usd":"5"}}]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid request: overrides[0].extra_currencies.usd: is not the number of a currency","data":{"kind":"INVALID_PARAMS","issues":[{"param":"overrides","message":"overrides[0].extra_currencies.usd: is not the number of a currency"}]}}}
