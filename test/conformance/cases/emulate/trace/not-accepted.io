// A message that its account does not accept.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"emulate.trace","params":{"boc":"te6cckEBAQEAKQAATYgBB7+qpcxuU2jl+XmRiL15jNIuBKsW0djqT8N0gHQeY1AAAAAABLPan6A=","rand_seed":"KKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKg=","now":1700003024}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32052,"message":"failed to emulate shard block: the message is rejected before smart-contract execution: the external message is refused: its import costs 66667 nanograms and the account has 0","data":{"kind":"EMULATION"}}}
