// Addresses are required.
// over: sse
>> {"id":"7","types":["transactions"]}
<< {"status":400,"body":{"id":"7","error":"addresses are required for subscription"}}
