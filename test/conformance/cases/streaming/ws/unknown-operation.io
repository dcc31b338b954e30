// An operation that does not exist.
// over: stream
>> {"operation":"dance","id":"9"}
<< {"id":"9","error":"unknown operation: dance"}
