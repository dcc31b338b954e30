// Several collections need exactly one owner.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.nft.items","params":{"collection_address":["EQA7tYxE3mbbGmnP4L4h6X6DX82nPhKiIVjWwgnXoiYoTXTS","EQDOMSI-eA3fBh7nh8M0w7kZZ2vszGnAQC2eFa7bjpyNw23S"]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"exact one owner_address required for multiple collection_address","data":{"kind":"INVALID_PARAMS","issues":[{"param":"collection_address","message":"exact one owner_address required for multiple collection_address"}]}}}
