// Bytes that are no bag of cells are refused.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"inspectCode","params":{"code":"AAAA"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse code: bag of cells: 3 bytes are too few for a header","data":{"kind":"INVALID_PARAMS"}}}
