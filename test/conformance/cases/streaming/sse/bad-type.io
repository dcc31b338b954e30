// A type that does not exist.
// over: sse
>> {"id":"7","types":["gossip"],"addresses":["0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1"]}
<< {"status":400,"body":{"id":"7","error":"invalid event type: gossip"}}
