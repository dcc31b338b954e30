// An index has digits only.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.nft.items","params":{"collection_address":["EQA7tYxE3mbbGmnP4L4h6X6DX82nPhKiIVjWwgnXoiYoTXTS"],"index":["one"]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"index should contain digits only","data":{"kind":"INVALID_PARAMS","issues":[{"param":"index","message":"index should contain digits only","expected":"one or more: a number in digits; as repeated names, as an array or separated by commas; at most 1000"}]}}}
