// There is no collection at this address.
>> {"jsonrpc":"2.0","id":1,"method":"local.mintNft","params":{"collection":"0:9999999999999999999999999999999999999999999999999999999999999999","owner":"0:7777777777777777777777777777777777777777777777777777777777777777","name":"x"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"collection EQCZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmbxK was not deployed by local.*","data":{"kind":"NOT_FOUND"}}}
