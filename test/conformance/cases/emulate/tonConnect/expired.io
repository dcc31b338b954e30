// A request whose time is over is not accepted.
// status: 422
>> {"jsonrpc":"2.0","id":1,"method":"emulate.tonConnect","params":{"from":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","messages":[{"address":"0:7777777777777777777777777777777777777777777777777777777777777777","amount":"50000000"}],"valid_until":1700003023,"rand_seed":"KKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKg=","now":1700003024}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32052,"message":"failed to emulate shard block: EmulationExternalNotAccepted: 36","data":{"kind":"EMULATION"}}}
