// A text that is not base64 is refused.
// status: 422
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.estimateFee","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","body":"%%"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to decode: schema: error converting value for \"body\" (expected bytes as standard padded base64, at least one)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"body","message":"schema: error converting value for \"body\"","expected":"bytes as standard padded base64, at least one"}]}}}
