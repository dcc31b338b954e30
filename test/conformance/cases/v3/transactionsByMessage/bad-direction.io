// A direction is in or out.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.transactionsByMessage","params":{"msg_hash":["Mro4l2Md72mDeCIGQWizJcxIl4Hplu8svs70UaCeDik="],"direction":"up"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"direction should be one of: in, out","data":{"kind":"INVALID_PARAMS","issues":[{"param":"direction","message":"direction should be one of: in, out","expected":"in or out"}]}}}
