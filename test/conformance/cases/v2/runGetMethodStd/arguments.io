// An argument, and an answer with a slice.
>> {"jsonrpc":"2.0","id":1,"method":"runGetMethodStd","params":{"address":"EQA7tYxE3mbbGmnP4L4h6X6DX82nPhKiIVjWwgnXoiYoTXTS","method":"get_nft_address_by_index","stack":[{"@type":"tvm.stackEntryNumber","number":{"@type":"tvm.numberDecimal","number":"1"}}]}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"smc.runResult","gas_used":1813,"stack":[{"@type":"tvm.stackEntrySlice","slice":{"@type":"tvm.slice","bytes":"te6cckEBAQEAJAAAQ4AKBPj+GTL8iXQKZiHJs/UXu8GW02DbbFZS4tFgfKfrw3A7VR1m"}}],"exit_code":0}}
