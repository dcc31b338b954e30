// A message has a comment or a body.
>> {"jsonrpc":"2.0","id":1,"method":"local.signTransfer","params":{"from":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","to":"0:7777777777777777777777777777777777777777777777777777777777777777","amount":"1","comment":"x","body":"te6cckEBAQEAAgAAAEysuc0="}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to validate request: only one of comment and body should be specified","data":{"kind":"INVALID_PARAMS","issues":[{"param":"comment","message":"only one of comment and body should be specified"}]}}}
