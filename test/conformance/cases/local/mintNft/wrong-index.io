// Items are numbered one after another.
>> {"jsonrpc":"2.0","id":1,"method":"local.mintNft","params":{"collection":"EQA7tYxE3mbbGmnP4L4h6X6DX82nPhKiIVjWwgnXoiYoTXTS","owner":"0:7777777777777777777777777777777777777777777777777777777777777777","index":"7"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"index must be the next one, 3","data":{"kind":"INVALID_PARAMS"}}}
