// Bytes that are no bag of cells.
// status: 500
>> {"jsonrpc":"2.0","id":1,"method":"v4.sendMessage","params":{"boc":"AAAA"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"INVALID_BAG_OF_CELLS: body: bag of cells: 3 bytes are too few for a header","data":{"kind":"CHAIN"}}}
