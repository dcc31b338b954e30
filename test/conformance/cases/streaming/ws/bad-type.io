// A type that does not exist.
// over: stream
>> {"operation":"subscribe","id":"1","types":["gossip"],"addresses":["0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1"]}
<< {"id":"1","error":"invalid event type: gossip"}
