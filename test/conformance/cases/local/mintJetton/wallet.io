// A wallet is no jetton.
>> {"jsonrpc":"2.0","id":1,"method":"local.mintJetton","params":{"jetton":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","owner":"0:7777777777777777777777777777777777777777777777777777777777777777","amount":"1000"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"jetton EQB3NitVceH7lov-9i_hNkYBHZXLTJI9pOOY9h_VGk3E0a6G was not deployed by local.*","data":{"kind":"NOT_FOUND"}}}
