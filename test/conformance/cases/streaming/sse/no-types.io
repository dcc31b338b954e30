// The types are required.
// over: sse
>> {"id":"7"}
<< {"status":400,"body":{"id":"7","error":"types are required for subscription"}}
