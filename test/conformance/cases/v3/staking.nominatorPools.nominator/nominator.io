// The pools of a nominator.
>> {"jsonrpc":"2.0","id":1,"method":"v3.staking.nominatorPools.nominator","params":{"nominator":"0:d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1"}}
<< {"jsonrpc":"2.0","id":1,"result":{"nominator_pools":[{"pool_address":"-1:F65AD7C13F44364E39C07E9D0FD308B1005A7B851E5FBDBCA07BBE65F5DAA752","balance":"773891044364","pending_balance":"0"}],"address_book":{"-1:F65AD7C13F44364E39C07E9D0FD308B1005A7B851E5FBDBCA07BBE65F5DAA752":{"user_friendly":"Ef_2WtfBP0Q2TjnAfp0P0wixAFp7hR5fvbyge75l9dqnUu_F","domain":null,"interfaces":["daolama_vault","tv_pool"]}}}}
