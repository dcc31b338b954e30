// An amount is required.
// status: 400
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"emulate.tonConnect","params":{"from":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","messages":[{"address":"0:7777777777777777777777777777777777777777777777777777777777777777","amount":""}]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid request: amount in message at index 0 cannot be empty","data":{"kind":"INVALID_PARAMS","issues":[{"param":"messages","message":"amount in message at index 0 cannot be empty","expected":"one to four objects with address, amount (nanograms, decimal text), payload and stateInit (BoCs as base64, optional)"}]}}}
