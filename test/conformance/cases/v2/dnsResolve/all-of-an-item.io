// All records of an item, asked with an empty name.
>> {"jsonrpc":"2.0","id":1,"method":"dnsResolve","params":{"address":"EQAowUpYnW7KqrD80axQEWHN-dPyw8xXsDOCTzW7Tqx31_aK","name":""}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"dns.resolved","entries":[{"@type":"dns.entry","name":".","category":"6NRAUIc9uoZap8Fwq0zOZNkIOaNNz9bPcdFOAgVEOxs=","entry":{"@type":"dns.entryDataSmcAddress","smc_address":{"@type":"accountAddress","account_address":"EQB3NitVceH7lov-9i_hNkYBHZXLTJI9pOOY9h_VGk3E0a6G"}}}]}}
