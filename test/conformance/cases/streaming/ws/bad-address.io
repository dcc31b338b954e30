// A text that is no address.
// over: stream
>> {"operation":"subscribe","id":"1","types":["transactions"],"addresses":["nowhere"]}
<< {"id":"1","error":"invalid address: nowhere"}
