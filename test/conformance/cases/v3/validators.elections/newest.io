// The newest elections first.
>> {"jsonrpc":"2.0","id":1,"method":"v3.validators.elections","params":{}}
<< {"jsonrpc":"2.0","id":1,"result":{"elections":[{"election_id":1700002610,"elect_close":1700002410,"min_stake":"10000000000","total_stake":"10000000000000","total_participants":2,"failed":false,"finished":true},{"election_id":1700001410,"elect_close":1700001210,"min_stake":"10000000000","total_stake":"11900000000000","total_participants":3,"failed":false,"finished":true}],"address_book":{}}}
