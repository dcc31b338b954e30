// Of an address in the masterchain.
// any server
>> {"jsonrpc":"2.0","id":1,"method":"detectAddress","params":{"address":"-1:3333333333333333333333333333333333333333333333333333333333333333"}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"ext.utils.detectedAddress","raw_form":"-1:3333333333333333333333333333333333333333333333333333333333333333","bounceable":{"@type":"ext.utils.detectedAddressVariant","b64":"Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF","b64url":"Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF"},"non_bounceable":{"@type":"ext.utils.detectedAddressVariant","b64":"Uf8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMxYA","b64url":"Uf8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMxYA"},"given_type":"raw_form","test_only":false}}
