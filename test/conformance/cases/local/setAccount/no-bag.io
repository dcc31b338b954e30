// Bytes that are no bag of cells are refused.
>> {"jsonrpc":"2.0","id":1,"method":"local.setAccount","params":{"address":"0:9999999999999999999999999999999999999999999999999999999999999999","code":"AAAA"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse code: bag of cells: 3 bytes are too few for a header","data":{"kind":"INVALID_PARAMS"}}}
