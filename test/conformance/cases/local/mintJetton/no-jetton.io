// There is no jetton at this address.
>> {"jsonrpc":"2.0","id":1,"method":"local.mintJetton","params":{"jetton":"0:9999999999999999999999999999999999999999999999999999999999999999","owner":"0:7777777777777777777777777777777777777777777777777777777777777777","amount":"1000"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"jetton EQCZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmbxK was not deployed by local.*","data":{"kind":"NOT_FOUND"}}}
