// A vesting is named in one way.
// status: 422
// any server
>> {"jsonrpc":"2.0","id":1,"method":"v3.vesting","params":{"contract_address":["0:eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"],"wallet_address":["0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1"]}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"only one of contract_address or wallet_address should be specified","data":{"kind":"INVALID_PARAMS","issues":[{"param":"wallet_address","message":"only one of contract_address or wallet_address should be specified"}]}}}
