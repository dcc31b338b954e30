// Nothing is named that should be taken out.
// over: stream
>> {"operation":"unsubscribe","id":"1"}
<< {"id":"1","error":"addresses or trace_external_hash_norms are required"}
