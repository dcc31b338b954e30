// A block that does not exist yet is not found.
// status: 404
>> {"jsonrpc":"2.0","id":1,"method":"v4.runMethod","params":{"seqno":2000000000,"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","method":"seqno"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"seqno: there is no block 2000000000; the newest is 142","data":{"kind":"NOT_FOUND"}}}
