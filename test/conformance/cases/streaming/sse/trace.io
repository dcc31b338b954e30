// A subscription to a trace by its hash.
// over: sse
>> {"id":"s","types":["trace"],"trace_external_hash_norms":["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]}
<< {"event":"connected","data":{"id":"s","status":"subscribed"}}
