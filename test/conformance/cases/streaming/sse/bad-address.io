// A text that is no address.
// over: sse
>> {"id":"7","types":["transactions"],"addresses":["nowhere"]}
<< {"status":400,"body":{"id":"7","error":"invalid address: nowhere"}}
