// There is no jetton at this address.
>> {"jsonrpc":"2.0","id":1,"method":"local.setJettonBalance","params":{"jetton":"0:9999999999999999999999999999999999999999999999999999999999999999","owner":"0:7777777777777777777777777777777777777777777777777777777777777777","balance":"1000"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"jetton EQCZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmbxK has no get_jetton_data: it is no jetton master","data":{"kind":"NOT_FOUND"}}}
