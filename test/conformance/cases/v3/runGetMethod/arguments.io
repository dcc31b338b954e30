// An argument, and an answer with a slice.
>> {"jsonrpc":"2.0","id":1,"method":"v3.runGetMethod","params":{"address":"EQA7tYxE3mbbGmnP4L4h6X6DX82nPhKiIVjWwgnXoiYoTXTS","method":"get_nft_address_by_index","stack":[{"type":"num","value":"1"}]}}
<< {"jsonrpc":"2.0","id":1,"result":{"gas_used":1813,"exit_code":0,"stack":[{"type":"slice","value":"te6cckEBAQEAJAAAQ4AKBPj+GTL8iXQKZiHJs/UXu8GW02DbbFZS4tFgfKfrw3A7VR1m"}]}}
