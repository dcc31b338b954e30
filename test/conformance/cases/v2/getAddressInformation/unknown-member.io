// A body with a member that the method does not take is refused; a query may have it.
// status: 422
// speconly: any server
// only: POST, dialect, single, batch, ws, in process
>> {"jsonrpc":"2.0","id":1,"method":"getAddressInformation","params":{"address":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1","addres":"0:77362b5571e1fb968bfef62fe13646011d95cb4c923da4e398f61fd51a4dc4d1"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to parse post request: unknown parameter 'addres' (expected address, seqno)","data":{"kind":"INVALID_PARAMS","issues":[{"param":"addres","message":"unknown parameter 'addres'","expected":"address, seqno"}]}}}
