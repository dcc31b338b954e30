// A name that nobody has.
>> {"jsonrpc":"2.0","id":1,"method":"dnsResolve","params":{"address":"EQDOMSI-eA3fBh7nh8M0w7kZZ2vszGnAQC2eFa7bjpyNw23S","name":"elm"}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"dns.resolved","entries":[{"@type":"dns.entry","name":"elm.","category":"GfAkQe5Yj9sm7iSyVo3QNcPJIG4Rq5eb5i5VVYodF/8=","entry":{"@type":"dns.entryDataNextResolver","resolver":{"@type":"accountAddress","account_address":"EQAtNmI2ZWUKL0hyUY701pZqSrdMHfZZd1OeqSu9C9YX_hyV"}}}]}}
