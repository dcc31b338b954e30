// A collection of NFTs.
>> {"jsonrpc":"2.0","id":1,"method":"getTokenData","params":{"address":"EQA7tYxE3mbbGmnP4L4h6X6DX82nPhKiIVjWwgnXoiYoTXTS"}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"ext.tokens.nftCollectionData","address":"EQA7tYxE3mbbGmnP4L4h6X6DX82nPhKiIVjWwgnXoiYoTXTS","contract_type":"nft_collection","next_item_index":"3","owner_address":"EQB3NitVceH7lov-9i_hNkYBHZXLTJI9pOOY9h_VGk3E0a6G","collection_content":{"type":"onchain","data":{"name":"Leaves","description":"Of all trees."}}}}
