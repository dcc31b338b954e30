// Addresses are taken out of a subscription.
// over: stream
>> {"operation":"subscribe","id":"7","types":["transactions"],"addresses":["0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","0:7777777777777777777777777777777777777777777777777777777777777777"]}
<< {"id":"7","status":"subscribed"}
>> {"operation":"unsubscribe","id":"8","addresses":["0:7777777777777777777777777777777777777777777777777777777777777777"]}
<< {"id":"8","status":"unsubscribed"}
