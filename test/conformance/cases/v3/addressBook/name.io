// An account with a name.
>> {"jsonrpc":"2.0","id":1,"method":"v3.addressBook","params":{"address":["0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1"]}}
<< {"jsonrpc":"2.0","id":1,"result":{"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1":{"user_friendly":"UQB3NitVceH7lov-9i_hNkYBHZXLTJI9pOOY9h_VGk3E0fND","domain":"oak.ton","interfaces":["wallet_v4r2"]}}}
