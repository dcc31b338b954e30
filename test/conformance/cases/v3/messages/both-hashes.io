// hash is the old name of msg_hash, so only one may be given.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.messages","params":{"hash":"Mro4l2Md72mDeCIGQWizJcxIl4Hplu8svs70UaCeDik=","msg_hash":["Mro4l2Md72mDeCIGQWizJcxIl4Hplu8svs70UaCeDik="]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"cannot use both legacy and new message hashes","data":{"kind":"INVALID_PARAMS","issues":[{"param":"hash","message":"cannot use both legacy and new message hashes"}]}}}
