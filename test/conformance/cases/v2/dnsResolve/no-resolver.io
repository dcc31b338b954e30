// A contract without dnsresolve.
// status: 500
>> {"jsonrpc":"2.0","id":1,"method":"dnsResolve","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","name":"oak"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"get method failed","data":{"kind":"CHAIN"}}}
