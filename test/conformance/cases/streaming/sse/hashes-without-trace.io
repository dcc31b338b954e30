// Hashes need the type trace.
// over: sse
>> {"id":"7","types":["transactions"],"addresses":["0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1"],"trace_external_hash_norms":["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]}
<< {"status":400,"body":{"id":"7","error":"trace_external_hash_norms requires type \"trace\""}}
