// A subscription is acknowledged with its id, which may be a number.
// over: stream
>> {"operation":"subscribe","id":"7","types":["transactions","actions","account_state_change","jettons_change"],"addresses":["0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1"],"min_finality":"pending"}
<< {"id":"7","status":"subscribed"}
>> {"operation":"subscribe","id":8,"types":["trace"],"trace_external_hash_norms":["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]}
<< {"id":8,"status":"subscribed"}
