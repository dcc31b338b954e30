// ignore_chksig is true or false; a text is refused.
// status: 422
// speconly: any server
>> {"jsonrpc":"2.0","id":1,"method":"estimateFee","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","body":"te6cckEBAQEAAgAAAEysuc0=","ignore_chksig":"yes"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: failed to parse ignore_chksig (expected JSON true or false)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"ignore_chksig","message":"failed to parse ignore_chksig","expected":"JSON true or false"}]}}}
