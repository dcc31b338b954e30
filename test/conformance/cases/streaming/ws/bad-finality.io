// A finality that does not exist.
// over: stream
>> {"operation":"subscribe","id":"1","types":["transactions"],"addresses":["0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1"],"min_finality":"soon"}
<< {"id":"1","error":"invalid subscribe request: unknown finality state: soon"}
