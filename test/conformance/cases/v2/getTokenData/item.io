// An item, verified by its collection.
>> {"jsonrpc":"2.0","id":1,"method":"getTokenData","params":{"address":"EQCkg-9wk0_DbNi9VdhByyKbdlkZdSANdhSdxV4GDPmSrw_X"}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"ext.tokens.nftItemData","address":"EQCkg-9wk0_DbNi9VdhByyKbdlkZdSANdhSdxV4GDPmSrw_X","contract_type":"nft_item","init":true,"index":"0","collection_address":"EQA7tYxE3mbbGmnP4L4h6X6DX82nPhKiIVjWwgnXoiYoTXTS","owner_address":"EQB3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3dxGx","content":{"type":"onchain","data":{"name":"Leaf 1","image":"https://example.org/leaf.png"}}}}
