// The first frame says that the subscription has begun.
// over: sse
>> {"id":"7","types":["transactions"],"addresses":["0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1"]}
<< {"event":"connected","data":{"id":"7","status":"subscribed"}}
