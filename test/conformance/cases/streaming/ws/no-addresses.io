// Addresses are required.
// over: stream
>> {"operation":"subscribe","id":"1","types":["transactions"]}
<< {"id":"1","error":"addresses are required"}
