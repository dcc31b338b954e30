// An account that is no token has no picture.
>> {"jsonrpc":"2.0","id":1,"method":"token.picture","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"the index has no picture of this account","data":{"kind":"NOT_FOUND"}}}
